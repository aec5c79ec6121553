import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POLL_SECONDS } from '#lib/sync/file-problems.ts'
import { keepNames, NAME_MAX_LENGTH } from './keep-names.ts'

async function open(content: string | Buffer | null) {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-names-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const source = join(folder, 'names.csv')
  if (content !== null) await writeFile(source, content)
  const clock = { now: 7 }
  let look = () => {}
  const names = keepNames({
    source,
    invented: INVENTED,
    now: () => clock.now,
    every: (_, run) => {
      look = run
      return () => {}
    },
    log: () => {},
  })
  onTestFinished(() => names.close())
  await names.settled()
  const write = async (text: string) => {
    await writeFile(`${source}.new`, text)
    await rename(`${source}.new`, source)
    clock.now += POLL_SECONDS
    look()
    await names.settled()
  }
  const lookAgain = async () => {
    clock.now += POLL_SECONDS
    look()
    await names.settled()
  }
  return { names, write, lookAgain, source }
}

const INVENTED = new Map([['B', { name: 'Brisk Badger Toys', sector: 'Consumer' }]])

const SOME = 'symbol,name\nAAPL,Apple Inc.\nMMM,3M Co\nLVMH,"Moët Hennessy, Louis Vuitton"\n'

describe('the names of symbols', () => {
  it('are found by symbol in any case, and by the beginning of a word of theirs', async () => {
    const { names } = await open(SOME)
    expect(names.of('aapl')).toBe('Apple Inc.')
    expect(names.of('MSFT')).toBeNull()
    expect(names.find('apple')).toEqual(['AAPL'])
    expect(names.find('APP')).toEqual(['AAPL'])
    expect(names.find('moet hen')).toEqual(['LVMH'])
    expect(names.find('vuitton')).toEqual(['LVMH'])
    expect(names.find('pple')).toEqual([])
    expect(names.find('ap')).toEqual([])
    expect(names.find('3m')).toEqual(['MMM'])
    expect(names.find('')).toEqual([])
    expect(names.find(' . ')).toEqual([])
  })

  it('are found in every case, composition and with or without marks, as symbols are', async () => {
    const { names } = await open(
      'symbol,name\nStraße,Straße AG\nB,Hauptstrasse KG\nC,Cha\u0302teau CO₂\n',
    )
    for (const text of ['straße', 'Strasse', 'STRASSE']) {
      expect(names.find(text)).toEqual(['STRASSE'])
      expect(names.of(text)).toBe('Straße AG')
    }
    for (const text of ['HAUPTSTRASSE', 'hauptstraße']) expect(names.find(text)).toEqual(['B'])
    for (const text of ['chateau', 'CHÂTEAU', 'cha\u0302teau co2']) {
      expect(names.find(text)).toEqual(['C'])
    }
  })

  it('stay while a file that just changed ends within a line, and change once it stays', async () => {
    const { names, write, lookAgain } = await open('symbol,name\nA,One\n')
    await write('symbol,name\nA,Onesie Hold')
    expect(names.of('A')).toBe('One')
    expect(names.report().problem).toContain('ends within a line')
    expect(names.emptyImports()).toEqual([])
    await lookAgain()
    expect(names.of('A')).toBe('Onesie Hold')
    expect(names.report().problem).toBeNull()
  })

  it('may have a sector; invented ones are used only without a file', async () => {
    const { names } = await open('symbol,name,GICS Sector\nA,One,Energy\nB,Two,\n')
    expect([names.sectorOf('a'), names.sectorOf('B'), names.sectorOf('C')]).toEqual([
      'Energy',
      null,
      null,
    ])
    const demo = keepNames({
      source: null,
      invented: INVENTED,
      now: () => 7,
      every: () => () => {},
      log: () => {},
    })
    expect([demo.of('b'), demo.sectorOf('B'), demo.find('badger')]).toEqual([
      'Brisk Badger Toys',
      'Consumer',
      ['B'],
    ])
    expect(demo.report().is_configured).toBe(false)
  })

  it('are cut where they are long, the later one counts, and lines that hold none are told', async () => {
    const long = 'x'.repeat(NAME_MAX_LENGTH + 1)
    const { names } = await open(
      `symbol,name\nA,One\na,Two\nB,${long}\nC,${long.slice(1)}\n,N\nD,\n`,
    )
    expect(names.of('A')).toBe('Two')
    expect(names.of('B')).toBe(`${'x'.repeat(NAME_MAX_LENGTH - 1)}…`)
    expect(names.of('C')).toBe(long.slice(1))
    expect(names.report()).toEqual({
      is_configured: true,
      file: 'names.csv',
      names: 3,
      read_at: 7,
      problem: null,
      set_aside: 2,
      examples: [
        { file: 'names.csv', line: 6, column: 'symbol', reason: 'has no symbol', value: ',N' },
        { file: 'names.csv', line: 7, column: 'name', reason: 'has no name', value: 'D,' },
      ],
      reasons: [
        { reason: 'has no symbol', rows: 1 },
        { reason: 'has no name', rows: 1 },
      ],
    })
  })

  it.each([
    ['ticker,title\nA,B\n', 'has no column “name”'],
    ['title,name\nA,B\n', 'has no column “symbol”'],
    ['', 'is empty'],
  ])('stay as they were where the file is not one of names: %j', async (text, problem) => {
    const { names, write, lookAgain } = await open(SOME)
    await write(text)
    await lookAgain()
    expect(names.of('AAPL')).toBe('Apple Inc.')
    expect(names.report()).toMatchObject({ problem, names: 3 })
    await write(SOME)
    expect(names.report()).toMatchObject({ problem: null, names: 3 })
  })

  it('a file that does not exist is told, and read once it is', async () => {
    const { names, write } = await open(null)
    expect(names.report()).toMatchObject({ is_configured: true, problem: 'does not exist' })
    expect(names.of('AAPL')).toBeNull()
    await write(SOME)
    expect(names.of('AAPL')).toBe('Apple Inc.')
    expect(names.report().problem).toBeNull()
  })
})
