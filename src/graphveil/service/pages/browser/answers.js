// The answers as buttons of which one is chosen; what is chosen is kept nowhere.
class AnswerChoice {
  constructor(answers) {
    this.answers = answers;
    part("answers").replaceChildren(...answers.map((answer, i) => {
      const [item, label, button] = ["li", "label", "input"].map((tag) => document.createElement(tag));
      Object.assign(button, { type: "radio", name: "answer", value: String(i) });
      label.append(button, ` ${answer}`);
      item.append(label);
      return item;
    }));
  }
  // A list that stands for the answer: as long as the answer's number says.
  read() {
    const chosen = document.querySelector("#answers input:checked");
    if (!chosen) throw new Error(t("question.none"));
    return { numbers: Array.from({ length: Number(chosen.value) }, (_, i) => i) };
  }
  changed() {}
  forget() {
    for (const button of document.querySelectorAll("#answers input")) button.checked = false;
  }
}
