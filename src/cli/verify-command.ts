import type { Command } from 'commander';
import type { Ended } from './main';

export function addVerifyCommand(_program: Command, _ended: Ended): void {}
