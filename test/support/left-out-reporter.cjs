/** Says at the end of `npm test` what it did not run. */
module.exports = class LeftOutReporter {
  constructor(_globalConfig, { leftOut }) {
    this.leftOut = leftOut;
  }

  onRunComplete() {
    process.stderr.write(`Not run: ${this.leftOut} slow test files. Run them with: npm run test:slow\n`);
  }
};
