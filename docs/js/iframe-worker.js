// Search on a file: browsers start no worker from file://, so the worker's script runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const base = new URL(url, location);
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const load = (source) => new Promise((done, failed) => {
        const script = inside.document.createElement("script");
        Object.assign(script, { src: new URL(source, base), onload: done, onerror: failed });
        inside.document.body.append(script);
      });
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) => urls.reduce((last, each) => last.then(() => load(each)), Promise.resolve());
      this.inside = inside;
      this.ready = load(base);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
    }
  };
}
