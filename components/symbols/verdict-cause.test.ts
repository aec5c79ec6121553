import { afterAll, beforeAll, expect, test } from 'vitest'
import { opinionAnswer } from '#lib/contract/answers/opinion.ts'
import { ratingsPage } from '#lib/contract/answers/ratings.ts'
import { movesAnswer } from '#lib/contract/answers/symbols.ts'
import { toMovedHref } from '#lib/contract/page-addresses.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { selectVerdict } from './verdict.ts'

let line: TestApi

beforeAll(async () => {
  line = await openTestApi({ ratings: 6000 })
  await line.fill()
}, 60_000)

afterAll(async () => await line.close())

const askJson = async (address: string): Promise<unknown> => await (await line.ask(address)).json()

const FOLLOWED = 8

test('for every symbol of the demo, the headline names the largest part of why it moved over the same span, and links to exactly those ratings', async () => {
  const found = await line.ask('/api/symbols.csv')
  const symbols = (await found.text())
    .split('\r\n')
    .slice(1)
    .flatMap((row) => row.split(',')[0] || [])
  let named = 0
  for (const symbol of symbols) {
    const at = `/api/symbols/${symbol}`
    const { data: opinion } = opinionAnswer.parse(await askJson(`${at}/opinion`))
    const { from, to } = opinion.moves
    const { data: moves } = movesAnswer.parse(await askJson(`${at}/moves?from=${from}&to=${to}`))
    expect(opinion.moves).toEqual(moves)
    const [first] = selectVerdict(opinion)?.parts ?? []
    if (!first) continue
    const sizes = moves.parts.map(({ change }) => Math.abs(Number(change)))
    const largest = moves.parts[sizes.indexOf(Math.max(...sizes))]
    expect([symbol, first.kind, first.events]).toEqual([symbol, largest?.kind, largest?.events])
    named += 1
    if (named > FOLLOWED) continue
    const span = { from: from + 1, to: to + 1, asof: null }
    const href = toMovedHref(symbol, { kind: first.kind, ...span })
    const { page } = ratingsPage.parse(await askJson(`/api/ratings${href.slice(1)}`))
    expect([symbol, page.total]).toEqual([symbol, first.events])
  }
  expect(named).toBeGreaterThan(20)
})
