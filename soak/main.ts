import { parseArgs } from 'node:util'
import { createRandom } from '#testing/random.ts'
import { PER_MINUTE } from './cluster-world.ts'
import { isFlat, runCrowd } from './crowd.ts'
import { type NodesRound, runNodesSoak } from './nodes.ts'
import { type Round, runSoak } from './run-soak.ts'

const USAGE = `The sync is killed at random moments, started again, and held against its source; on loopback only.

  npm run soak -- [ROUNDS] [--seed N] [--ratings N]      default 100 rounds, 200,000 ratings

Or a crowd reads the built dashboard while ratings come and readers leave, and whatever it is shown is held against the archive.

  npm run soak -- crowd [MINUTES] [--seed N] [--ratings N]      default 30 minutes, 200,000 ratings

Or three nodes on one PostgreSQL, while the one that syncs, the database and the lines between them fail at random, and the
archive of each is held against the source.

  npm run soak -- nodes [ROUNDS] [--seed N] [--ratings N]      default 60 rounds, 20,000 ratings
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, ratings: { type: 'string' }, help: { type: 'boolean' } },
})
const DEFAULTS = {
  kills: { length: '100', ratings: '200000' },
  crowd: { length: '30', ratings: '200000' },
  nodes: { length: '60', ratings: '20000' },
}
const kind = positionals[0] === 'crowd' || positionals[0] === 'nodes' ? positionals[0] : 'kills'
const [length, seed, ratings] = [
  positionals[kind === 'kills' ? 0 : 1] ?? DEFAULTS[kind].length,
  values.seed ?? '1',
  values.ratings ?? DEFAULTS[kind].ratings,
]
if (values.help || ![length, seed, ratings].every((text) => /^[1-9]\d{0,6}$/.test(text))) {
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

const CROWD = 16
const print = (line: string) => process.stdout.write(`${line}\n`)
const RUN = { kills: soakKills, crowd: soakCrowd, nodes: soakNodes }
const isWell = await RUN[kind]()
process.exitCode = isWell ? 0 : 1

async function soakKills(): Promise<boolean> {
  print(`${length} rounds over ${ratings} ratings, seed ${seed}`)
  const done = await runSoak({
    rounds: Number(length),
    seed: Number(seed),
    ratings: Number(ratings),
    onRound: (round) => print(toLine(round)),
  })
  for (const line of toTable(done)) print(line)
  return done.every(({ problems }) => problems.length === 0)
}

async function soakCrowd(): Promise<boolean> {
  print(`${CROWD} readers of ${ratings} ratings for ${length} minutes, seed ${seed}`)
  const { memory, problems, ...counts } = await runCrowd({
    minutes: Number(length),
    ratings: Number(ratings),
    readers: CROWD,
    random: createRandom(Number(seed)),
    onMinute: print,
  })
  print(JSON.stringify(counts))
  for (const problem of problems) print(`WRONG: ${problem}`)
  if (!isFlat(memory)) print('The memory grows.')
  return problems.length === 0 && isFlat(memory)
}

async function soakNodes(): Promise<boolean> {
  print(`${length} rounds of three nodes over ${ratings} ratings, seed ${seed}`)
  const done = await runNodesSoak({
    rounds: Number(length),
    ratings: Number(ratings),
    random: createRandom(Number(seed)),
    onRound: (round) => print(toNodesLine(round)),
  })
  const sum = (count: (round: NodesRound) => number) =>
    done.reduce((total, round) => total + count(round), 0)
  const takeovers = done.flatMap(({ takeoversMs }) => takeoversMs).sort((a, b) => a - b)
  const toSeconds = (ms = Number.NaN) => (ms / 1000).toFixed(1)
  print('')
  print(
    `${sum(({ leaderKills }) => leaderKills)} times the node that synced was killed, ${sum(({ databaseKills }) => databaseKills)} times the database`,
  )
  print(
    `another node synced after p50 ${toSeconds(takeovers[Math.floor(takeovers.length / 2)])} s, max ${toSeconds(takeovers.at(-1))} s`,
  )
  const counts = done.at(-1)?.counts
  if (counts) {
    const { came, counted, busiestMinute, commits, lateCommits } = counts
    print(
      `${came} requests came, ${counted} were counted, at most ${busiestMinute} in a minute of ${PER_MINUTE}`,
    )
    print(`${commits} commits, ${lateCommits} of them late`)
  }
  const equal = done.filter(({ problems }) => problems.length === 0).length
  print(`${equal} of ${done.length} times every archive equals the source`)
  return equal === done.length
}

function toNodesLine({ number, fault, takeoversMs, equalMs, problems }: NodesRound): string {
  const end = problems.length === 0 ? 'equal' : `NOT EQUAL: ${problems.join('; ')}`
  const takeovers = takeoversMs.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')
  return `${String(number).padStart(3)}  ${fault.padEnd(22)} ${takeovers.padEnd(15)} ${end} after ${(equalMs / 1000).toFixed(1)} s`
}

function toLine({ number, move, killedAt, restartMs, requests, problems }: Round): string {
  const end = problems.length === 0 ? 'equal' : `NOT EQUAL: ${problems.join('; ')}`
  return `${String(number).padStart(3)}  ${move.padEnd(18)} killed ${killedAt.padEnd(34)} open after ${restartMs.toFixed(0).padStart(4)} ms, ${requests.before} + ${requests.after} requests, ${end}`
}

function toTable(all: readonly Round[]): string[] {
  const restarts = all.map(({ restartMs }) => restartMs).sort((a, b) => a - b)
  const moves = [...new Set(all.map(({ move }) => move))].sort()
  const rows = moves.map((move) => {
    const own = all.filter((round) => round.move === move)
    const places = new Set(own.map(({ killedAt }) => killedAt.replace(/ after .*/, '')))
    return `${move.padEnd(18)} ${String(own.length).padStart(4)} kills, in ${[...places].sort().join(', ')}`
  })
  const equal = all.filter(({ problems }) => problems.length === 0).length
  const again = all.reduce((sum, { requests }) => sum + requests.after, 0)
  return [
    '',
    ...rows,
    '',
    `${equal} of ${all.length} times the archive equals the source`,
    `open after a kill: p50 ${restarts[Math.floor(restarts.length / 2)]?.toFixed(0)} ms, max ${restarts.at(-1)?.toFixed(0)} ms`,
    `requests after the restarts: ${again}`,
  ]
}
