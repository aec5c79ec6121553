import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Rating } from '#lib/contract/rating.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { bundleProgram } from '#testing/bundle-program.ts'
import { createRandom } from '#testing/random.ts'
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
  killedAt: string
  /** From the start until the archive is open, in ms. */
  restartMs: number
  requests: { before: number; after: number }
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
  worker: string
  dir: string
  random: () => number
  at: number
  dataDir: string
  key: string
  vanished: Map<number, Rating>
  /** Of the last complete run, in ms. */
  lasts: Map<Move, number>
  bag: Move[]
}

/** A seed determines the moves, but the moments only approximately. */
export async function runSoak(options: SoakOptions): Promise<Round[]> {
  const { rounds, seed, ratings, onRound } = options
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-soak-'))
  const source = await openSource(await loadCommunity(dir, ratings, WEDNESDAY))
  const worker = await bundleProgram('soak/worker.ts')
  const world: World = {
    source,
    worker: worker.file,
    dir,
    random: createRandom(seed),
    at: WEDNESDAY,
    dataDir: '',
    key: '',
    vanished: new Map(),
    lasts: new Map(),
    bag: [],
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

/** After a late kill little is left for the restart. */
const toWholeMs = (killed: WorkerEnd, restarted: WorkerEnd) =>
  Math.max(killed.afterMs, restarted.afterMs) * 0.9

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
  /** Seconds since 1970. */
  at: number
  rebuildAbove: number
}

/** Times in ms. `openMs` is null if the archive was not open yet. */
type WorkerEnd = {
  place: string
  afterMs: number
  openMs: number | null
  isDone: boolean
  said: string[]
}

const LIMIT_MS = 180_000

/** Counts from opening the archive, to exclude loading code. */
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
