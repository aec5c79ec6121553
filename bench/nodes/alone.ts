import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createNodeProcess, type NodeProcess } from '#testing/nodes/cluster.ts'
import { type Figure, get, median, residentMb, timeMs } from '../measure.ts'
import { type Setting, UNLIMITED, untilHolds } from './setting.ts'

const STARTS = 3
const BUILT = '.next/server'
/** Appears only in the driver's source. */
const DRIVER = 'SCRAM-SHA-256'

const HOOK = `process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.BENCH_LOADED, Object.keys(require.cache).join('\\n')))`

export async function measureAlone({ service, databaseUrl, nodes }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-loaded-'))
  const hook = join(folder, 'hook.cjs')
  const loaded = join(folder, 'loaded.txt')
  writeFileSync(hook, HOOK)
  const hooked = {
    ...UNLIMITED,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${hook}`,
    BENCH_LOADED: loaded,
  }
  const without = await createNodeProcess({ name: 'alone', databaseUrl: '', service, env: hooked })
  const env = { ...hooked, DATA_DIR: nodes[2].dataDir }
  const having = await createNodeProcess({ name: 'c', databaseUrl, service, env })
  try {
    await nodes[2].stop()
    await without.start()
    await untilHolds(without, service.count() - 1)
    const rounds: { without: Started; having: Started }[] = []
    for (let round = 0; round < STARTS; round += 1) {
      rounds.push({
        without: await restart(without, service.count() - 1, loaded),
        having: await restart(having, service.count() - 1, loaded),
      })
    }
    return toFigures(rounds)
  } finally {
    await without.close()
    await having.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Started = { seconds: number; mb: number; driver: number }

async function restart(node: NodeProcess, ratings: number, loaded: string): Promise<Started> {
  await node.stop()
  const seconds = (await timeMs(node.start)) / 1000
  await untilHolds(node, ratings)
  for (const path of ['/', '/api/ratings', '/symbols']) await get(node.url + path)
  const mb = residentMb(node.pid() ?? 0).now
  await node.stop()
  const names = new Set(
    readFileSync(loaded, 'utf8')
      .split('\n')
      .map((path) => basename(path)),
  )
  return { seconds, mb, driver: findDriver().filter((name) => names.has(name)).length }
}

function findDriver(): string[] {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  const found = files.filter((name) => readFileSync(join(BUILT, name), 'utf8').includes(DRIVER))
  if (found.length === 0) throw new Error(`no file of ${BUILT} holds the driver`)
  return found.map((name) => basename(name))
}

function toFigures(rounds: readonly { without: Started; having: Started }[]): Figure[] {
  const of = (kind: 'without' | 'having', what: keyof Started) =>
    median(rounds.map((round) => round[kind][what]))
  const [files, others] = [of('without', 'driver'), of('having', 'driver')]
  return [
    {
      what: 'files of the driver that a process without DATABASE_URL loads',
      got: String(files),
      aim: '0',
      met: files === 0 && others > 0,
      floor: `${others} with it`,
    },
    {
      what: 'start of such a process on a filled folder, and its memory after three pages',
      got: `${of('without', 'seconds').toFixed(1)} s, ${of('without', 'mb').toFixed(0)} MB`,
      aim: '–',
      met: null,
      floor: `${of('having', 'seconds').toFixed(1)} s, ${of('having', 'mb').toFixed(0)} MB: with DATABASE_URL`,
    },
  ]
}
