import { below, derive, type Chance } from './chance';

/** Samples are of the year before this day, whatever day it is: the same seed gives the same text for ever. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

function moment(chance: Chance): Date {
  const day = below(chance, 365) + 1;
  const second = below(derive(chance, 1), 86_400);
  return new Date(EPOCH_MS - day * DAY_MS + second * 1000);
}

/** `2025-06-30T08:15:00Z` (RFC 3339 §5.6). */
export function dateTimeText(chance: Chance): string {
  return `${moment(chance).toISOString().slice(0, 19)}Z`;
}

/** `2025-06-30`. */
export function dateText(chance: Chance): string {
  return moment(chance).toISOString().slice(0, 10);
}

/** The birthday of somebody who has an age on the day before which samples are. */
export function birthdayText(chance: Chance, age: number): string {
  const day = below(derive(chance, 2), 365);
  const year = new Date(EPOCH_MS).getUTCFullYear() - age - 1;
  return new Date(Date.UTC(year, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
}

/** `08:15:00Z`: the full-time of RFC 3339. */
export function timeText(chance: Chance): string {
  return `${moment(chance).toISOString().slice(11, 19)}Z`;
}

/** `P3D`, `PT45M` (RFC 3339 Appendix A). */
export function durationText(chance: Chance): string {
  const count = below(derive(chance, 2), 27) + 1;
  return below(chance, 2) === 0 ? `P${count}D` : `PT${count}M`;
}

/** Epoch seconds. */
export function epochSeconds(chance: Chance): number {
  return moment(chance).getTime() / 1000;
}
