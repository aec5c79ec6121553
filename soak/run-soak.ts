import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Rating } from '#lib/contract/rating.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createRandom } from '#lib/statistics/random.ts'
import { bundleProgram } from '#testing/bundle-program.ts'
import { compare } from './compare.ts'
import { loadCommunity, openSource, passWeek, postRatings, type Source } from './source.ts'

/** Wednesday 2026-11-18 12:00 UTC. */
const WEDNESDAY = 1_795_003_200
const HOUR = 3600

const MOVES = ['bootstrap by dump', 'bootstrap by pages', 'follow', 'reconcile', 'rebuild'] as const
type Move = (typeof MOVES)[number]

export type Round = {
  number: number
  move: Move
  /** Where it was killed, for people. */
  killedAt: string
  /** From its start until the archive was open again, in ms. */
  restartMs: number
  requests: { before: number; after: number }
  /** What was not as it should be; empty where all was. */
  problems: string[]
}

export type SoakOptions = {
  rounds: number
  seed: number
  ratings: number
  onRound?: (round: Round) => void
}

type World = {
  source: Source
  /** The sync, as a program. */
  worker: string
  dir: string
  random: () => number
  at: number
  dataDir: string
  key: string
  vanished: Map<number, Rating>
  /** How long each move took when it was last run to its end, in ms. */
  lasts: Map<Move, number>
  /** Moves that are to come before any comes twice. */
  bag: Move[]
}

/**
 * Kills the sync in so many rounds, each at a random moment of one of its moves, starts it again, and compares what it then
 * holds with what the source lists. The same seed chooses the same moves and, as far as a machine repeats itself, moments.
 */
export async function runSoak(options: SoakOptions): Promise<Round[]> {
  const { rounds, seed, ratings, onRound } = options
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-soak-'))
  const source = await openSource(await loadCommunity(dir, ratings, WEDNESDAY))
  const worker = await bundleProgram('soak/worker.ts')
  const world: World = {
    ...{
      source,
      worker: worker.file,
      dir,
      random: createRandom(seed),
      at: WEDNESDAY,
      dataDir: '',
      key: '',
    },
    ...{ vanished: new Map(), lasts: new Map(), bag: [] },
  }
  try {
    const done: Round[] = []
    for (let number = 1; number <= rounds; number += 1) {
      const move = number === 1 ? MOVES[0] : drawMove(world)
      const round = await runRound(world, number, move)
      done.push(round)
      onRound?.(round)
    }
    return done
  } finally {
    await source.close()
    await worker.remove()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Each move once, in an order of its own, before any comes again. */
function drawMove({ bag, random }: World): Move {
  if (bag.length === 0) bag.push(...MOVES)
  const [move] = bag.splice(Math.floor(random() * bag.length), 1)
  return move ?? MOVES[0]
}

async function runRound(world: World, number: number, move: Move): Promise<Round> {
  await prepare(world, number, move)
  const { source, worker, dataDir, key, random, at, lasts } = world
  const rebuildAbove = move === 'rebuild' ? 500 : 250_000
  const options = { worker, dataDir, baseUrl: source.baseUrl, key, at, rebuildAbove }
  const before = source.requests(key)
  const killed = await runWorker(options, Math.ceil(random() * (lasts.get(move) ?? 3000)))
  const between = source.requests(key)
  const restarted = await runWorker(options)
  lasts.set(move, toWholeMs(killed, restarted))
  const requests = source.requests(key)
  const expected = { ratings: source.ratings, vanished: world.vanished, requests }
  const problems = restarted.isDone
    ? await compare(dataDir, expected)
    : [`the restart ended in ${restarted.place}: ${restarted.said.slice(-5).join(' | ')}`]
  return {
    number,
    move,
    killedAt: killed.isDone ? 'too late' : `${killed.place} after ${killed.afterMs.toFixed(0)} ms`,
    restartMs: restarted.openMs ?? Number.NaN,
    requests: { before: between - before, after: requests - between },
    problems,
  }
}

/** A run that was killed late leaves little to its restart: the longer of the two says how long the move takes. */
const toWholeMs = (killed: WorkerEnd, restarted: WorkerEnd) =>
  Math.max(killed.afterMs, restarted.afterMs) * 0.9

/** Lets the community go on, and leaves the data folder as the move finds it. */
async function prepare(world: World, number: number, move: Move): Promise<void> {
  const { source, random } = world
  source.hasDumps = move !== 'bootstrap by pages'
  world.at += HOUR
  if (move === 'reconcile' || move === 'rebuild') world.at = nextEditionAt(world.at) + HOUR
  const listed = new Map(source.ratings)
  const count = Math.ceil(source.ratings.size * 0.005 * random())
  postRatings(source, { count, at: world.at - HOUR / 2, random })
  if (move === 'reconcile' || move === 'rebuild') {
    for (const gone of passWeek(source, { at: world.at - 2 * HOUR, random, listed }))
      world.vanished.set(gone.id, gone)
    source.makeEdition(world.at)
  }
  if (!move.startsWith('bootstrap')) return
  if (world.dataDir !== '') await rm(world.dataDir, { recursive: true })
  world.dataDir = join(world.dir, `data-${number}`)
  world.key = `soak-${number}`
  world.vanished.clear()
  await mkdir(world.dataDir)
  source.makeEdition(world.at)
}

export type WorkerOptions = {
  worker: string
  dataDir: string
  baseUrl: string
  key: string
  /** Where its clock begins, in seconds since 1970. */
  at: number
  rebuildAbove: number
}

/**
 * How a worker ended: where it was, how long after it began to open its archive, and how long that took (both in ms, the
 * latter null where it was not open yet).
 */
type WorkerEnd = {
  place: string
  afterMs: number
  openMs: number | null
  isDone: boolean
  said: string[]
}

const LIMIT_MS = 180_000

/**
 * Runs the sync in a process of its own, to its end or until it is killed so many milliseconds after it began to open its
 * archive: what comes before is the loading of code.
 */
async function runWorker(options: WorkerOptions, killAfterMs?: number): Promise<WorkerEnd> {
  const { worker, dataDir, baseUrl, key, at, rebuildAbove } = options
  let startMs = performance.now()
  const child = spawn(
    process.execPath,
    [worker, dataDir, baseUrl, key, String(at), String(rebuildAbove)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const said = ['starting']
  let place = 'starting'
  let openMs: number | null = null
  createInterface(child.stdout).on('line', (line) => {
    said.push(line)
    if (line === 'opening') {
      startMs = performance.now()
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? LIMIT_MS)
    }
    if (line.startsWith('open ')) openMs = Number(line.slice(5))
    if (!line.startsWith('reason')) place = line.replace(/^open .*/, 'open')
  })
  createInterface(child.stderr).on('line', (line) => said.push(line))
  await once(child, 'exit')
  clearTimeout(timer)
  return { place, afterMs: performance.now() - startMs, openMs, isDone: place === 'done', said }
}
