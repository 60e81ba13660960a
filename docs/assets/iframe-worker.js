// Browsers start no worker from a file on the disk; a hidden frame does its work, so that search needs no server.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.srcdoc = "<!doctype html><body></body>"
      this.ready = new Promise((done) => {
        frame.onload = () => {
          const inside = frame.contentWindow
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
          const script = inside.document.createElement("script")
          script.onload = () => done(inside)
          script.src = url
          inside.document.body.append(script)
        }
      })
      document.body.append(frame)
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })))
    }

    terminate() {}
  }
}
