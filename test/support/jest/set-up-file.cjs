const fc = require('fast-check');
const { PROPERTY_SEED_VARIABLE } = require('./property-seed.cjs');

// Each run of a property begins with the seed that global-setup.cjs chose and printed.
fc.configureGlobal({ seed: Number(process.env[PROPERTY_SEED_VARIABLE]) });
