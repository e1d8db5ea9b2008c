// Rounds of load over several servers, in an order that turns round, each answer checked before and after.
import { exchange } from './exchange.mjs';
import { isDisturbed, load } from './load.mjs';

/**
 * Loads each contestant once per round.
 *
 * A contestant is `{ server, request, check, reset? }`: `check` throws on a wrong answer, `reset` empties the state.
 *
 * @returns one row per contestant: `{ label, rounds, invalid? }`; an invalid row carries the reason and no figure counts
 */
export async function runRounds(contestants, settings) {
  const rows = contestants.map(({ server }) => ({ label: server.label, rounds: [], invalid: undefined }));
  const turns = contestants.map((contestant, index) => ({ ...contestant, row: rows[index] }));
  for (let round = 1; round <= settings.rounds; round++) {
    // Forth and back: a machine that warms up or slows down favours nobody.
    for (const turn of round % 2 === 1 ? turns : turns.toReversed()) {
      if (turn.row.invalid) continue;
      try {
        const figures = await runTurn(turn, settings);
        turn.row.rounds.push(figures);
        settings.log(
          `  round ${round}/${settings.rounds}  ${turn.row.label}: ${Math.round(figures.perSecond)} requests/s`,
        );
      } catch (error) {
        turn.row.invalid = error.message;
        settings.log(`  round ${round}/${settings.rounds}  ${turn.row.label}: INVALID, ${error.message}`);
      }
    }
  }
  return rows;
}

async function runTurn({ server, request, check, reset }, settings) {
  const { generator, pinning, temporaryFolder } = settings;
  const common = { generator, server, request, core: pinning.generatorCore, temporaryFolder };
  await reset?.();
  const before = await probe(server, request, check);
  await load({ ...common, seconds: settings.warmUpSeconds });
  // Chosen by what others did, never by how fast the server was.
  let figures;
  for (let attempt = 0; attempt <= settings.repeats; attempt++) {
    await reset?.();
    const attempted = await load({ ...common, seconds: settings.seconds });
    refuseFailures(attempted);
    if (figures === undefined || attempted.othersCpu < figures.othersCpu) figures = attempted;
    if (!isDisturbed(figures)) break;
  }
  const after = await probe(server, request, check);
  await reset?.();
  refuseOtherSizes(figures, [...before, ...after]);
  return figures;
}

/** One exchange, or three where the load is spread over many paths. */
async function probe(server, request, check) {
  const { paths = [request.path] } = request;
  const chosen = new Set([paths[0], paths[Math.floor(paths.length / 2)], paths.at(-1)]);
  const sizes = [];
  for (const path of chosen) {
    const answer = await exchange(server.port, { ...request, path });
    check(answer, path);
    sizes.push(answer.bytes);
  }
  return sizes;
}

function refuseFailures({ requests, failedAnswers, socketErrors }) {
  if (requests === 0) throw new Error('no request was answered');
  if (failedAnswers > 0) throw new Error(`${failedAnswers} of ${requests} answers were not 2xx`);
  if (socketErrors > 0) throw new Error(`${socketErrors} socket errors or timeouts in ${requests} requests`);
}

/** A redirect, a 304 or a cut body is no failure to wrk, but it has another size than the answers that were checked. */
function refuseOtherSizes({ bytesPerAnswer }, sizes) {
  const [least, most] = [Math.min(...sizes) * 0.95 - 16, Math.max(...sizes) * 1.05 + 16];
  if (bytesPerAnswer < least || bytesPerAnswer > most) {
    throw new Error(`answers had ${bytesPerAnswer.toFixed(0)} bytes on average, the checked ones ${sizes.join(', ')}`);
  }
}
