// The sound of a stone, made here: a short knock. It can be turned off, and a browser without sound is as good.

import { keep, kept } from "./store.js";

let context = null;

export const soundOn = () => kept("sound") !== "off";
export const setSound = (on) => keep("sound", on ? "on" : "off");

export function knock(colour) {
  if (!soundOn() || typeof AudioContext === "undefined" || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const start = context.currentTime;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: colour === "black" ? 420 : 520 });
    const loudness = new GainNode(context, { gain: 0.22 });
    tone.frequency.exponentialRampToValueAtTime(140, start + 0.05);
    loudness.gain.exponentialRampToValueAtTime(0.0008, start + 0.09);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.1);
  } catch { /* no sound */ }
}
