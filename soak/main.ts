import { parseArgs } from 'node:util'
import { createRandom } from '#testing/fault-loop.ts'
import { isFlat, runCrowd } from './crowd.ts'
import { type Round, runSoak } from './run-soak.ts'

const USAGE = `The sync is killed at random moments, started again, and held against its source; on loopback only.

  npm run soak -- [ROUNDS] [--seed N] [--ratings N]      default 100 rounds, 200,000 ratings

Or a crowd reads the built dashboard while ratings come and readers leave, and whatever it is shown is held against the archive.

  npm run soak -- crowd [MINUTES] [--seed N] [--ratings N]      default 30 minutes, 200,000 ratings
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, ratings: { type: 'string' }, help: { type: 'boolean' } },
})
const isCrowd = positionals[0] === 'crowd'
const [length, seed, ratings] = [
  positionals[isCrowd ? 1 : 0] ?? (isCrowd ? '30' : '100'),
  values.seed ?? '1',
  values.ratings ?? '200000',
]
if (values.help || ![length, seed, ratings].every((text) => /^[1-9]\d{0,6}$/.test(text))) {
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

const CROWD = 16
const print = (line: string) => process.stdout.write(`${line}\n`)
const isWell = isCrowd ? await soakCrowd() : await soakKills()
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
