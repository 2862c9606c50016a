// Short sounds, made on the spot; silent unless they are wanted.

import { pref } from "../shared/prefs.js";

/** Each sound: its notes, in hertz, one after the other, and the shape of the wave. */
const SOUNDS = {
  open: [[520], "sine"],
  mark: [[330], "triangle"],
  won: [[523, 659, 784, 1047], "triangle"],
  lost: [[160, 110, 80], "sawtooth"],
};
const NOTE = 0.09;

let speaker = null;

export function play(name) {
  if (pref("sound", "off") !== "on" || !(name in SOUNDS) || !window.AudioContext) return;
  speaker ??= new AudioContext();
  const [notes, shape] = SOUNDS[name];
  const volume = speaker.createGain();
  const end = speaker.currentTime + NOTE * notes.length;
  volume.gain.setValueAtTime(0.08, speaker.currentTime);
  volume.gain.linearRampToValueAtTime(0, end);
  volume.connect(speaker.destination);
  const voice = speaker.createOscillator();
  voice.type = shape;
  notes.forEach((note, at) => voice.frequency.setValueAtTime(note, speaker.currentTime + at * NOTE));
  voice.connect(volume);
  voice.start();
  voice.stop(end);
  performance.mark(`minewright:sound:${name}`);
}
