import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#lib/client/api-error.ts'
import { makeDatabase } from '#testing/sql/make-database.ts'
import { openTestEngine } from '#testing/sql/open-engine.ts'
import { EngineLost } from './engine.ts'
import { ENGINE_BYTES } from './loader.ts'
import { createSession, type Phase, type Session } from './session.ts'

let file: Blob
const opened: Session[] = []
const FILE = { url: '/file', etag: '"1"' }

beforeAll(async () => {
  file = await makeDatabase(['CREATE TABLE ratings AS SELECT i AS id FROM range(3000) t(i)'])
})
afterEach(() => {
  for (const session of opened.splice(0)) session.close()
})

type Deps = Parameters<typeof createSession>[0]

function open(changed: Partial<Deps> = {}) {
  const phases: Phase[] = []
  const session = createSession({
    loadFacts: async (tables) => ({ ...FILE, tables, bytes: file.size, generation: 7, asOf: 100 }),
    loadFile: async (_, { onProgress }) => {
      onProgress(file.size)
      return file
    },
    storage: () => null,
    openEngine: async (blob, signal) => (await openTestEngine(blob, signal)).engine,
    isMetered: () => false,
    nowMs: () => 0,
    ...changed,
  })
  session.subscribe(() => {
    const { phase } = session.read()
    if (phase !== phases.at(-1)) phases.push(phase)
  })
  opened.push(session)
  return { session, phases }
}

const query = (text: string) => ({ text, sort: null })

const endless = 'SELECT count(*) FROM range(100000000000) a, range(1000) b'

const untilPhase = async (session: Session, name: Phase['name']) =>
  await vi.waitFor(() => expect(session.read().phase.name).toBe(name), { timeout: 60_000 })

describe('a query', () => {
  it('loads the data and the engine once, and says of which data its result is', async () => {
    const { session, phases } = open()
    await session.run(query('SELECT count(*) FROM ratings'))
    await session.run(query('SELECT max(id) FROM ratings'))
    expect(phases.map(({ name }) => name)).toEqual([
      ...['loading', 'loading', 'loading', 'running', 'idle'],
      ...['running', 'idle'],
    ])
    const { shown } = session.read()
    expect(shown?.outcome).toMatchObject({ ok: true, result: { rows: [['2999']] } })
    expect(shown?.facts).toMatchObject({ generation: 7, asOf: 100 })
  })

  it('with more rows than are shown is counted afterwards', async () => {
    const { session } = open()
    await session.run(query('FROM ratings'))
    expect(session.read().shown).toMatchObject({ total: 3000, outcome: { ok: true } })
  })

  it('with an error shows the error and leaves the session usable', async () => {
    const { session } = open()
    await session.run(query('SELECT nope FROM ratings'))
    expect(session.read().shown?.outcome).toMatchObject({ ok: false, error: { at: 7 } })
    await session.run(query('SELECT 1'))
    expect(session.read().shown?.outcome).toMatchObject({ ok: true })
  })

  it('that never ends is canceled, and the next one runs', async () => {
    const { session } = open()
    const running = session.run(query(endless))
    await untilPhase(session, 'running')
    session.cancel()
    await running
    expect(session.read().phase.name).toBe('idle')
    await session.run(query('SELECT 1'))
    expect(session.read().shown?.outcome).toMatchObject({ ok: true })
  })

  describe('without a result', () => {
    const openShown = async (changed: Partial<Deps> = {}) => {
      const opened = open(changed)
      await opened.session.run(query('SELECT 1'))
      expect(opened.session.read().shown?.outcome.ok).toBe(true)
      return opened.session
    }

    it('leaves none of an earlier query when it is canceled', async () => {
      const session = await openShown()
      const running = session.run(query(endless))
      await untilPhase(session, 'running')
      session.cancel()
      await running
      expect(session.read()).toEqual({ phase: { name: 'idle' }, shown: null })
    })

    it('leaves none of an earlier query when the data cannot be loaded', async () => {
      const session = await openShown({
        loadFacts: async (tables) => {
          if (tables === 'all') throw new Error('down')
          return { ...FILE, tables, bytes: file.size, generation: 7, asOf: 100 }
        },
      })
      await session.run(query('SELECT * FROM lookups'))
      expect(session.read()).toMatchObject({ phase: { name: 'failed' }, shown: null })
    })

    it('leaves none of an earlier query while the reader is asked', async () => {
      let isMetered = false
      const session = await openShown({ isMetered: () => isMetered })
      isMetered = true
      await session.run(query('SELECT * FROM lookups'))
      expect(session.read()).toMatchObject({ phase: { name: 'asking' }, shown: null })
    })

    it('leaves its own earlier result when it is canceled', async () => {
      const session = await openShown()
      const { shown } = session.read()
      void session.run(query('SELECT 1'))
      session.cancel()
      expect(session.read()).toEqual({ phase: { name: 'idle' }, shown })
    })

    it('leaves none when the query is cleared', async () => {
      const session = await openShown()
      session.clear()
      expect(session.read()).toEqual({ phase: { name: 'idle' }, shown: null })
      session.retry()
      expect(session.read().phase.name).toBe('idle')
    })
  })

  it('replaces the one that still runs, whose result never shows', async () => {
    const { session } = open()
    const first = session.run(query(endless))
    await untilPhase(session, 'running')
    await session.run(query('SELECT 2 AS x'))
    await first
    expect(session.read().shown?.outcome).toMatchObject({ result: { rows: [['2']] } })
  })

  it('starts the engine while the server still writes the file', async () => {
    let write = () => {}
    const written = new Promise<void>((resolve) => {
      write = resolve
    })
    const { session } = open({
      loadFacts: async (tables) => {
        await written
        return { ...FILE, tables, bytes: file.size, generation: 7, asOf: 100 }
      },
      openEngine: async (database, signal) => {
        write()
        return (await openTestEngine(database, signal)).engine
      },
    })
    await session.run(query('SELECT count(*) FROM ratings'))
    expect(session.read().shown?.outcome).toMatchObject({ result: { rows: [['3000']] } })
  })

  it('whose engine fails while the data load is reported, and no progress replaces the report', async () => {
    let progress = (_: number) => {}
    const { session } = open({
      loadFile: (_, { onProgress, signal }) =>
        new Promise((_, reject) => {
          progress = onProgress
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
      openEngine: () => Promise.reject(new EngineLost()),
    })
    await session.run(query('SELECT 1'))
    expect(session.read().phase).toMatchObject({ name: 'failed' })
    progress(1)
    expect(session.read().phase).toMatchObject({ name: 'failed' })
  })

  it('after the engine was lost starts it again with the data that are here', async () => {
    const loads: string[] = []
    const engines: { close: () => void }[] = []
    const { session } = open({
      loadFile: async ({ url }) => {
        loads.push(url)
        return file
      },
      openEngine: async (blob, signal) => {
        const { engine } = await openTestEngine(blob, signal)
        engines.push(engine)
        return engine
      },
    })
    await session.run(query('SELECT 1'))
    engines[0]?.close()
    await session.run(query('SELECT 2'))
    expect(session.read().shown?.outcome).toMatchObject({ result: { rows: [['2']] } })
    expect([loads.length, engines.length]).toEqual([1, 2])
  })
})

describe('the tables', () => {
  it('are the core ones until a query names others, and then stay', async () => {
    const loads: string[] = []
    const { session } = open({
      loadFile: async ({ tables }) => {
        loads.push(tables)
        return file
      },
    })
    for (const text of [
      'SELECT 1',
      'SELECT id FROM ratings ORDER BY id DESC',
      'SELECT * FROM "Calls"',
      'SHOW TABLES',
      'SELECT 2',
    ])
      await session.run(query(text))
    expect(loads).toEqual(['core', 'all'])
  })

  it('that a canceled query wanted are loaded no further', async () => {
    const loads: [string, AbortSignal][] = []
    const { session } = open({
      loadFile: async ({ tables }, { signal }) => {
        loads.push([tables, signal])
        return tables === 'all' ? file : await new Promise<Blob>(() => {})
      },
    })
    void session.run(query('SELECT 1'))
    await vi.waitFor(() => expect(loads).toHaveLength(1))
    await session.run(query('SELECT count(*) FROM ratings -- and prices'))
    expect(session.read().shown?.outcome).toMatchObject({ result: { rows: [['3000']] } })
    expect(loads.map(([tables, { aborted }]) => [tables, aborted])).toEqual([
      ['core', true],
      ['all', false],
    ])
  })
})

describe('where data cost money', () => {
  it('nothing is loaded before the reader agrees', async () => {
    const loadFile = vi.fn(async () => file)
    const { session } = open({ isMetered: () => true, loadFile })
    await session.run(query('SELECT 1'))
    expect(session.read().phase).toEqual({ name: 'asking', bytes: file.size + ENGINE_BYTES })
    expect(loadFile).not.toHaveBeenCalled()
    session.agree()
    await vi.waitFor(() => expect(session.read().shown?.outcome.ok).toBe(true), { timeout: 60_000 })
    await session.run(query('SELECT * FROM lookups'))
    expect(session.read().phase).toMatchObject({ name: 'asking' })
    expect(loadFile).toHaveBeenCalledTimes(1)
  })
})

describe('failures', () => {
  it('of the data are shown, and trying again starts over', async () => {
    let isDown = true
    const { session } = open({
      loadFile: async () => {
        if (isDown) throw new Error('down')
        return file
      },
    })
    await session.run(query('SELECT 1'))
    expect(session.read().phase).toMatchObject({ name: 'failed', error: { message: 'down' } })
    isDown = false
    await session.run(query('SELECT 1'))
    expect(session.read().shown?.outcome.ok).toBe(true)
  })

  it('of a file that was replaced while it was asked for load the new one', async () => {
    let version = 1
    const { session } = open({
      loadFacts: async (tables) => ({
        url: '/file',
        tables,
        etag: `"${version}"`,
        bytes: file.size,
        generation: version,
        asOf: 0,
      }),
      loadFile: async ({ etag }) => {
        if (etag === '"2"') return file
        version = 2
        throw new ApiError('precondition_failed', 412, '', [])
      },
    })
    await session.run(query('SELECT 1'))
    expect(session.read().shown?.facts.generation).toBe(2)
  })

  it('canceling while data load ends the load', async () => {
    const { session } = open({
      loadFile: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    const running = session.run(query('SELECT 1'))
    await untilPhase(session, 'loading')
    session.cancel()
    await running
    expect(session.read()).toEqual({ phase: { name: 'idle' }, shown: null })
  })
})

it('newer data are loaded when the reader wants them', async () => {
  let generation = 1
  const { session } = open({
    loadFacts: async (tables) => ({ ...FILE, tables, bytes: file.size, generation, asOf: 0 }),
  })
  await session.run(query('SELECT 1'))
  generation = 2
  await session.run(query('SELECT 1'))
  expect(session.read().shown?.facts.generation).toBe(1)
  session.renew()
  await vi.waitFor(() => expect(session.read().shown?.facts.generation).toBe(2), {
    timeout: 60_000,
  })
})
