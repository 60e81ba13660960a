// A row of counts: how many of a person's friends with a public label are in each class, each count with noise. By a
// public rule a person counts friends of lower roles, and of two anchors (role 0) the owner of the pair counts the other:
// of two friends one at most counts the other, in one count.

const [MOST_CLASSES, ANCHOR, TO_PREDICT, NO_LABEL] = [100, "0", "2", "-"];

function classRows(epsilon, people, { classes, labels, roles }) {
  const n = Number(people);
  const number = typeof labels === "string" ? labels.split(" ") : [];
  const named = Array.isArray(classes) && classes.length >= 2 && classes.length <= MOST_CLASSES && classes.every((name) => isLine(name) && name.trim());
  const fits = named && typeof roles === "string" && number.length === n && roles.length === n && /^[012]+$/.test(roles) && roles.includes(ANCHOR) && roles.includes(TO_PREDICT);
  const known = new Set([NO_LABEL, ...(named ? classes.keys() : [])].map(String));
  if (!fits || !number.every((label, i) => known.has(label) && (label === NO_LABEL) === (roles[i] === TO_PREDICT))) throw new Error("the campaign's parameters are out of range");

  const owns = (person, other) => ((person + other) % 2 === 0 ? Math.min(person, other) : Math.max(person, other)) === person;
  const counts = (person, friend) => roles[friend] < roles[person] || (roles[person] === ANCHOR && roles[friend] === ANCHOR && owns(person, friend));

  return {
    rounds: 1,
    oneEnd: true,
    classes,
    perturb({ person, friends, noise }) {
      const row = classes.map(() => 0n);
      for (const friend of friends) if (counts(person, friend)) row[Number(number[friend])] += 1n;
      return join(...row.map((count) => int32(bigMax(-people, bigMin(people, count + laplace(noise, epsilon))))));
    },
    explain({ payload }) {
      const view = new DataView(payload.buffer, payload.byteOffset);
      const row = classes.map((name, i) => `${name}: ${plain(view.getInt32(4 * i))}`).join(", ");
      return t("explain.row", { row, noise: usualNoise(epsilon) });
    },
  };
}

function int32(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setInt32(0, Number(value));
  return new Uint8Array(view.buffer);
}
