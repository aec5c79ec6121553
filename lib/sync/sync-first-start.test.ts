import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import {
  createScriptedService,
  down,
  HOUR,
  range,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import { community, openSync, withOlderDump } from './sync-house.test-support.ts'

describe('a first start', () => {
  test('fills the archive from the dump, then from the newest pages, then fetches the lookups', async () => {
    const service = withOlderDump(70, 50)
    const { sync, archive, ids, start, editions } = await openSync(service)
    expect(sync.state().state).toBe('starting')
    await start()
    expect(await ids()).toEqual(range(1, 70))
    expect(service.requests).toEqual(['posts', '1', '2', '3', '1', 'lookups'])
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toEqual({
      state: 'idle',
      reason: null,
      move: null,
      progress: null,
      checked_at: WEDNESDAY,
      next_at: WEDNESDAY + 60,
    })
    expect(editions.current('lookups')?.rows).toBe(2)
  })

  test('tells at each moment what it is doing and how far it is', async () => {
    const service = withOlderDump(70, 50)
    const { sync, start } = await openSync(service)
    const seen = new Set<string>()
    sync.onChange(() => {
      const { state, progress } = sync.state()
      seen.add(`${state} ${progress?.step ?? '-'}`)
    })
    await start()
    for (const moment of [
      'bootstrapping importing',
      'bootstrapping deriving',
      'following reading',
      'reconciling -',
      'idle -',
    ]) {
      expect(seen).toContain(moment)
    }
  })

  test('takes a row that breaks into quarantine, and all the rest in', async () => {
    const service = createScriptedService({ ratings: community(30) })
    const lines = toCsv(service.ratings).split('\n')
    lines.splice(5, 0, '31,7,"A ""quoted""\nsymbol",9.5,x,1,y,much,0,0,0,1,a,2,b', '32,short')
    service.dumps.posts = () => lines.join('\r\n')
    const { archive, ids, start } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 30))
    expect(archive.state().quarantined).toBe(2)
    const reasons = (await archive.selectQuarantine(9)).map(({ reason }) => reason).join('\n')
    expect(reasons).toMatch(/rating: .*prediction: /)
    expect(reasons).toMatch(/2 cells under 15 columns/)
  })

  test('waits and says why while the service is down, and recovers by itself', async () => {
    const service = withOlderDump(20, 20)
    service.before = () => {
      throw down()
    }
    const { sync, time, archive, ids, start } = await openSync(service)
    await start()
    expect(sync.state()).toMatchObject({ state: 'waiting', reason: down().message })
    expect(sync.state().next_at).toBe(WEDNESDAY + 5)
    expect(archive.state().completeTo).toBeNull()
    await time.pass(5 * HOUR)
    expect(sync.state().next_at).toBeLessThanOrEqual(time.at + 600)
    service.before = () => undefined
    await time.pass(HOUR)
    expect(sync.state()).toMatchObject({ state: 'idle', reason: null })
    expect(await ids()).toEqual(range(1, 20))
  })

  test('is filled from the pages of a service that has no dump', async () => {
    const service = createScriptedService({ ratings: community(95) })
    service.before = (what) => {
      if (what !== 'posts') return
      throw new AppError('upstream_contract', 'There is no dump.')
    }
    const { sync, archive, ids, start } = await openSync(service)
    await start()
    expect(await ids()).toEqual(range(1, 95))
    expect(archive.state().completeTo).toBe(WEDNESDAY)
    expect(sync.state()).toMatchObject({ state: 'idle', checked_at: WEDNESDAY })
    expect(sync.state().reason).toMatch(
      /^The posts dump of this week could not be had: There is no/,
    )
  })

  test('from pages goes on where it was broken off, and misses nothing that came meanwhile', async () => {
    const service = createScriptedService({ ratings: community(95) })
    let answers = 5
    service.before = (what) => {
      if (what === 'posts') throw new AppError('upstream_contract', 'There is no dump.')
      if (what !== 'lookups' && answers-- <= 0) throw down()
    }
    const setup = await openSync(service)
    await setup.start()
    expect(setup.sync.state().state).toBe('waiting')
    expect(await setup.ids()).toEqual(range(56, 95))
    expect(setup.archive.state().completeTo).toBeNull()
    service.ratings.push(...range(96, 108).map((id) => toRating(id)))
    answers = 99
    await setup.sync.stop()
    service.requests.length = 0
    const { ids, start } = await openSync(service, setup)
    await start()
    expect(await ids()).toEqual(range(1, 108))
    expect(service.requests.slice(0, 3)).toEqual(['1', '1', '4'])
  })
})
