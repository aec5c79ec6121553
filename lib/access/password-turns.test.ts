import { expect, test } from 'vitest'
import { createPasswordTurns } from './password-turns.ts'

function open() {
  const turns = createPasswordTurns()
  const begun: string[] = []
  let end = () => {}
  const ask = (client: string, name: string, isKnown = false, provider = client) =>
    turns({ provider, client, isKnown }, () => {
      begun.push(name)
      return new Promise<string>((resolve) => {
        end = () => resolve(name)
      })
    }).catch(() => 'turned away')
  return { begun, ask, end: () => end() }
}

async function endAll(turns: ReturnType<typeof open>, count: number) {
  for (let i = 1; i <= count; i += 1) {
    await expect.poll(() => turns.begun.length).toBe(i)
    turns.end()
  }
}

test('each client has a turn before any has a second', async () => {
  const turns = open()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => turns.ask(name[0] ?? '', name))
  await endAll(turns, 6)
  await Promise.all(all)
  expect(turns.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('known clients do not wait behind strangers, nor strangers behind known clients', async () => {
  const turns = open()
  const all = [
    ...['s1', 's2', 's3', 's4'].map((name) => turns.ask(name, name)),
    ...['k1', 'k2'].map((name) => turns.ask(name, name, true)),
  ]
  await endAll(turns, 6)
  await Promise.all(all)
  expect(turns.begun).toEqual(['s1', 'k1', 's2', 'k2', 's3', 's4'])
})

test('if all places are taken, the newest of the client with the most gives way to one with fewer', async () => {
  const turns = open()
  const many = Array.from({ length: 33 }, (_, i) => turns.ask('many', `many-${i}`))
  expect(await turns.ask('many', 'too many')).toBe('turned away')
  const few = [turns.ask('few', 'few-1'), turns.ask('few', 'few-2')]
  expect(await Promise.all(many.slice(-2))).toEqual(['turned away', 'turned away'])
  await endAll(turns, 33)
  expect(await Promise.all(few)).toEqual(['few-1', 'few-2'])
})

test('many networks of one provider crowd out no stranger of another provider', async () => {
  const turns = open()
  const many = Array.from({ length: 33 }, (_, i) => turns.ask(`n${i}`, `n${i}`, false, 'many'))
  expect(await turns.ask('n33', 'n33', false, 'many')).toBe('turned away')
  const others = ['a', 'b'].map((name) => turns.ask(name, name, false, name))
  await endAll(turns, 33)
  expect(await Promise.all(others)).toEqual(['a', 'b'])
  expect(turns.begun.slice(1, 4)).toEqual(expect.arrayContaining(['a', 'b']))
  const ends = await Promise.all(many)
  expect(ends.filter((end) => end === 'turned away')).toHaveLength(2)
})

test('work that fails ends its turn', async () => {
  const turns = createPasswordTurns()
  const turn = { provider: 'a', client: 'a', isKnown: false }
  const failed = turns(turn, () => Promise.reject(new Error('no memory')))
  const next = turns(turn, async () => 'done')
  await expect(failed).rejects.toThrow('no memory')
  expect(await next).toBe('done')
})
