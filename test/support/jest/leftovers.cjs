const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

/** What `process.getActiveResourcesInfo()` calls what a test has to end, in words. */
const RESOURCES = {
  TCPServerWrap: 'server that listens',
  TCPSocketWrap: 'open connection',
  UDPWrap: 'UDP socket',
  ProcessWrap: 'child process',
  Timeout: 'timer',
  Immediate: 'computation that goes on',
  FSEventWrap: 'watched file',
  StatWatcher: 'watched file',
  MessagePort: 'worker thread',
  Worker: 'worker thread',
};
/** tsx keeps there what it compiled. */
const KEPT_FOLDER = /^tsx-/;
/** What ends by itself needs some turns of the event loop: a connection whose server was closed, for example. */
const FREE_TURNS = 50;
const POLL_MS = 20;
/** Only a file that left something behind waits as long as this. */
const MAX_POLLS = 250;

/**
 * Finds what the tests of a file leave behind: servers, connections, timers, child processes, workers, watched files,
 * computations that go on, and files in the folder for temporary files, which is a folder of its own for each test file.
 *
 * What is still there when the file has ended fails the test during which it began, and no other.
 */
class LeftoverWatch {
  /**
   * @param {string} testPath
   * @param {{ maxPolls?: number }} [options] - how often to look again whether something ends by itself
   */
  constructor(testPath, { maxPolls = MAX_POLLS } = {}) {
    this.testPath = testPath;
    this.maxPolls = maxPolls;
    /** The tests during which something began, with what it was. */
    this.suspects = [];
  }

  begin() {
    this.outerFolder = process.env.TMPDIR;
    this.folder = mkdtempSync(join(tmpdir(), `${basename(this.testPath).replace(/\..*/, '')}-`));
    process.env.TMPDIR = this.folder;
    this.atBegin = countResources();
  }

  /** Takes the events of jest-circus. */
  async handle(event, state) {
    if (event.name === 'test_start') this.atStart = this.count();
    if (event.name === 'test_done') {
      const more = subtract(this.count(), this.atStart);
      if (more.size > 0) this.suspects.push({ test: event.test, more });
    }
    if (event.name === 'run_finish') await this.report(state);
  }

  end() {
    if (this.outerFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.outerFolder;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** How many there are of each kind of resource, and of each name in the temporary folder. */
  count() {
    const counts = countResources();
    for (const name of readdirSync(this.folder)) if (!KEPT_FOLDER.test(name)) counts.set(`temporary file ${name}`, 1);
    return counts;
  }

  async report(state) {
    let left = subtract(this.count(), this.atBegin);
    for (let turns = 0; left.size > 0 && turns < FREE_TURNS + this.maxPolls; turns++) {
      // A response of `fetch` that nobody read keeps its connection until it is collected as garbage.
      if (turns >= FREE_TURNS && turns % 10 === 0) collectGarbage();
      if (turns >= FREE_TURNS) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      // A timer counts until its callback has returned.
      await new Promise((resolve) => setImmediate(resolve));
      left = subtract(this.count(), this.atBegin);
    }
    for (const [what, count] of left) {
      const error = new Error(`Left behind: ${what}${count > 1 ? ` (${count})` : ''}. End it before the test ends.`);
      error.stack = error.message;
      const guilty = this.suspects.find(({ more }) => more.has(what));
      if (guilty === undefined) state.unhandledErrors.push(error);
      else guilty.test.errors.push(error);
    }
  }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function countResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) {
    const name = RESOURCES[type];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** What the first map has more of than the second one. */
function subtract(counts, fewer) {
  const more = new Map();
  for (const [name, count] of counts) {
    const difference = count - (fewer.get(name) ?? 0);
    if (difference > 0) more.set(name, difference);
  }
  return more;
}

module.exports = { LeftoverWatch };
