"use strict";
// The page around the engine: sliders make a request, workers answer it with
// numbers and pictures, and this puts them in place. It computes nothing about
// queues.
const $ = id => document.getElementById(id);
const SECOND = 1e9; // durations are in nanoseconds, as in Go
const input = JSON.parse($("input").textContent);
const replay = input.replay, fleet = input.fleet;

// ---- The engine: one worker answers replays, the other the fleet, so that a
// slider never waits for a sweep.

async function engineBytes() {
  const packed = Uint8Array.from(atob($("engine").textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

const glue = `
onmessage = async first => {
  const go = new Go();
  const {instance} = await WebAssembly.instantiate(first.data, go.importObject);
  go.run(instance);
  onmessage = m => postMessage({id: m.data.id, answer: vtsizeAnswer(m.data.request)});
  postMessage({ready: true});
};`;

class Engine {
  constructor(bytes) {
    const url = URL.createObjectURL(new Blob([$("exec").textContent, glue], {type: "text/javascript"}));
    this.worker = new Worker(url);
    this.waiting = new Map(); // by what is asked: only the latest of each counts
    this.running = null;
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = e => reject(new Error(e.message));
      this.worker.onmessage = () => {
        this.worker.onmessage = m => this.answered(m.data);
        resolve();
      };
    });
    this.worker.postMessage(bytes);
  }
  ask(topic, request, show) {
    this.waiting.set(topic, {request, show});
    this.next();
  }
  next() {
    if (this.running || this.waiting.size === 0) return;
    const [topic, job] = this.waiting.entries().next().value;
    this.waiting.delete(topic);
    this.running = {topic, job};
    this.worker.postMessage({request: JSON.stringify(job.request)});
  }
  answered(data) {
    const {topic, job} = this.running;
    this.running = null;
    const answer = JSON.parse(data.answer);
    if (!this.waiting.has(topic)) job.show(answer); // else it is out of date
    this.next();
    document.body.dataset.idle = String(!this.running);
  }
}

// ---- Controls.

const times = [1, 2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 120, 150, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600];
const long = [...times, 5400, 7200, 14400, 28800, 43200];
const span = s => s === 0 ? "off" : s < 600 ? s + " s" : s < 7200 ? +(s / 60).toFixed(1) + " min" : +(s / 3600).toFixed(1) + " h";
const plain = n => n.toLocaleString("en");

function slider(place, id, label, values, value, show, change) {
  if (!values.includes(value)) values = [...values, value].sort((a, b) => a - b);
  const box = document.createElement("div");
  box.className = "control";
  box.innerHTML = `<label for="${id}"><span>${label}</span><output id="${id}-value" for="${id}"></output></label><input type="range" id="${id}" min="0" max="${values.length - 1}" step="1">`;
  $(place).append(box);
  const range = box.querySelector("input"), out = box.querySelector("output");
  range.value = values.indexOf(value);
  const tell = () => {
    out.textContent = show(values[range.value]);
    range.setAttribute("aria-valuetext", out.textContent);
  };
  range.addEventListener("input", () => {
    change(values[range.value]);
    tell();
    update();
  });
  tell();
}

const both = (field, value) => { replay[field] = value; fleet[field] = value; };

function beats(s) {
  for (const q of [replay, fleet]) {
    q.Heartbeat.Interval = s * SECOND;
    if (s === 0) q.Heartbeat.Extension = 0;
  }
  if (s === 0) { replay.LoseBeats = null; fleet.BeatLoss = 0; fleet.BeatJitter = 0; }
}

function controls() {
  slider("controls-one", "timeout", "visibility timeout", long, replay.VisibilityTimeout / SECOND, span, s => both("VisibilityTimeout", s * SECOND));
  slider("controls-one", "step", "step", times, replay.Step / SECOND, span, s => { replay.Step = s * SECOND; });
  slider("controls-one", "heartbeat", "heartbeat every", [0, 1, 2, 3, 5, 8, 9, 10, 12, 15, 19, 20, 25, 30, 39, 45, 59, 60, 90, 99, 120, 300], replay.Heartbeat.Interval / SECOND, span, beats);
  slider("controls-one", "receives", "max receive count", [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100, 0], replay.MaxReceiveCount, n => n === 0 ? "no DLQ" : plain(n), n => both("MaxReceiveCount", n));
  slider("controls-one", "crash", "first worker dies after", [0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 90, 120, 300], replay.CrashAfter / SECOND, span, s => { replay.CrashAfter = s * SECOND; });
  slider("controls-fleet", "rate", "messages a second", [0.1, 0.2, 0.5, 1, 2, 4, 5, 10, 20, 40, 50, 100], fleet.Rate, plain, n => { fleet.Rate = n; });
  slider("controls-fleet", "consumers", "consumers", [1, 2, 5, 10, 20, 40, 50, 60, 80, 100, 150, 200, 300, 500, 700, 900, 1000, 1500, 2000, 3000], fleet.Consumers, plain, n => { fleet.Consumers = n; });
  if (fleet.Latency.points) {
    const [low, high] = fleet.Latency.points;
    const keepOrder = () => { if (high.At <= low.At) high.At = low.At + SECOND; };
    slider("controls-fleet", "p50", `latency p${low.Percentile}`, times, low.At / SECOND, span, s => { low.At = s * SECOND; keepOrder(); });
    slider("controls-fleet", "p99", `latency p${high.Percentile}`, times, high.At / SECOND, span, s => { high.At = s * SECOND; keepOrder(); });
  }
  $("key").checked = replay.IdempotencyKey;
  $("removes").checked = replay.StaleDelete === "removes";
  $("removes").disabled = replay.FIFO;
  $("key").addEventListener("change", e => { both("IdempotencyKey", e.target.checked); update(); });
  $("removes").addEventListener("change", e => { both("StaleDelete", e.target.checked ? "removes" : ""); update(); });
  for (const name of input.dials) $("dial").add(new Option(name.replace("-", " "), name));
  $("dial").value = input.sweep.dial;
  $("dial").addEventListener("change", update);
}

// ---- What is asked.

// How long the fleet runs: long enough for the figures, short enough for a page.
function duration() {
  const most = Math.max(1800, Math.ceil(40000 / fleet.Rate / 600) * 600);
  return Math.min(input.for, most * SECOND);
}

function sweepOf(dial) {
  if (dial === input.sweep.dial && input.sweep.from) return input.sweep;
  const timeout = fleet.VisibilityTimeout / SECOND, p = fleet.Latency.points;
  const mean = p ? p[0].At / SECOND : timeout / 3;
  switch (dial) {
    case "heartbeat": return {dial, from: Math.max(1, Math.floor(timeout / 10)), to: Math.max(2, Math.ceil(timeout * 1.2)), points: 9};
    case "consumers": return {dial, from: Math.max(1, Math.ceil(fleet.Rate * mean)), to: Math.ceil(fleet.Rate * mean * 3) + 2, points: 9};
    case "batch": return {dial, from: 1, to: 10, points: 9};
  }
  return {dial, from: Math.max(1, Math.round(mean * 1.6)), to: Math.min(43200, Math.max(600, Math.round(mean * 40))), points: 9};
}

let fast, slow, later;

function update() {
  fast.ask("replay", {replay}, showReplay);
  $("fleet-table").classList.add("busy");
  $("curve").classList.add("busy");
  document.body.dataset.idle = "false";
  clearTimeout(later);
  later = setTimeout(() => {
    fleet.For = duration();
    slow.ask("fleet", {fleet}, showFleet);
    const dial = $("dial").value;
    const turned = structuredClone(fleet);
    if (!turned.CrashRate) turned.CrashRate = input.sweepCrashRate;
    if (dial === "heartbeat" && !turned.Heartbeat.Interval) turned.Heartbeat.Interval = SECOND;
    slow.ask("sweep", {sweep: {...sweepOf(dial), fleet: turned}}, showSweep);
  }, 180);
}

// ---- What is shown.

function failed(answer) {
  $("state").textContent = answer.error || "";
  $("state").className = answer.error ? "error" : "note";
  $("state").hidden = !answer.error;
  return Boolean(answer.error);
}

function cells(row, numbers) {
  const tr = document.createElement("tr");
  row.forEach((text, i) => {
    const td = tr.insertCell();
    td.textContent = text;
    if (numbers.includes(i)) td.className = "number";
  });
  return tr;
}

function showReplay(answer) {
  if (failed(answer)) return;
  $("lanes").innerHTML = answer.svg;
  $("bill").replaceChildren(...answer.bill.map(([name, value]) => {
    const card = document.createElement("div");
    card.className = "card";
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = value;
    dd.id = "bill-" + name;
    card.append(dt, dd);
    return card;
  }));
  $("timeline").replaceChildren(...answer.rows.map(r => cells(r, [0])));
  $("command-one").textContent = answer.command;
  $("lanes").result = answer.result;
}

function showFleet(answer) {
  $("fleet-table").classList.remove("busy");
  if (failed(answer)) return;
  $("scenario").textContent = answer.headline;
  $("figures").replaceChildren(...answer.rows.map(r => cells(r, [1, 2])));
  $("command-fleet").textContent = answer.command;
  $("figures").result = answer.result;
}

function showSweep(answer) {
  $("curve").classList.remove("busy");
  if (failed(answer)) return;
  $("curve").innerHTML = answer.svg;
  $("why").textContent = answer.headline;
  $("command-sweep").textContent = answer.command;
  $("curve").result = answer.result;
}

// ---- Around it.

const themes = ["system", "light", "dark"];
$("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || "system";
  const next = themes[(themes.indexOf(now) + 1) % themes.length];
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  $("theme").textContent = "Colours: " + next;
  $("theme").setAttribute("aria-label", "colours: " + (next === "system" ? "as the system" : next));
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const code = $(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code); // no clipboard here: it is selected to be copied by hand
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

async function begin() {
  controls();
  try {
    const bytes = await engineBytes();
    fast = new Engine(bytes);
    slow = new Engine(bytes);
    await Promise.all([fast.ready, slow.ready]);
  } catch (e) {
    failed({error: "the engine does not start in this browser: " + e.message});
    return;
  }
  $("state").hidden = true;
  update();
}
begin();
