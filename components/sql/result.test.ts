import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHistory } from './past-queries.tsx'
import { toChartPoints, toValueTicks } from './result-chart.tsx'
import { createResultWriter, type FileOptions } from './result-files.tsx'
import { isNumeric, toSort, toSqlError, toStatement } from './statement.ts'

const COLUMNS = [
  { name: 'n', type: 'INTEGER' },
  { name: 'big', type: 'BIGINT' },
  { name: 'money', type: 'DECIMAL(18,6)' },
  { name: 'text', type: 'VARCHAR' },
  { name: 'yes', type: 'BOOLEAN' },
  { name: 'part', type: 'DOUBLE' },
]
const ROWS = [
  ['-1', '9007199254740993', '-0.100000', '=cmd()', 'true', '0.5'],
  [null, null, null, '', null, 'nan'],
]

const write = (options: FileOptions, rows = ROWS) => {
  const writer = createResultWriter(options)
  return writer.begin(COLUMNS) + rows.map((row) => writer.rows([row])).join('') + writer.end()
}

describe('a file of a result', () => {
  it('in CSV for Excel guards formulas in text, keeps numbers, and tells empty text from NULL', () => {
    expect(write({ format: 'csv', isForExcel: true })).toBe(
      '\ufeffn,big,money,text,yes,part\r\n-1,9007199254740993,-0.100000,\'=cmd(),true,0.5\r\n,,,"",,nan\r\n',
    )
    expect(write({ format: 'csv', isForExcel: false })).toContain(',=cmd(),')
  })

  it('in JSON has numbers that are exact, and text where a number would be rounded', () => {
    const parsed = JSON.parse(write({ format: 'json', isForExcel: true }))
    expect(parsed.rows).toBe(2)
    expect(parsed.columns).toEqual(COLUMNS)
    expect(parsed.data).toEqual([
      { n: -1, big: '9007199254740993', money: '-0.100000', text: '=cmd()', yes: true, part: 0.5 },
      { n: null, big: null, money: null, text: '', yes: null, part: 'nan' },
    ])
    expect(JSON.parse(write({ format: 'json', isForExcel: true }, [])).data).toEqual([])
  })

  it('in NDJSON is a row per line', () => {
    const lines = write({ format: 'ndjson', isForExcel: true }).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['=cmd()', ''])
  })
})

describe('the points of a chart', () => {
  const axis = (name: string, type: string, index: number) => ({ name, type, index })
  const y = axis('y', 'BIGINT', 1)

  it('are in the order of times and numbers, and leave out NULL and infinity', () => {
    const rows = [
      ['2026-02-01', '2'],
      ['2026-01-01', '1'],
      [null, '3'],
      ['2026-03-01', null],
      ['2026-03-01', 'inf'],
    ]
    const { points, scale } = toChartPoints({ chart: 'line', rows, x: axis('x', 'DATE', 0), y })
    expect(scale).toBe('time')
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [Date.UTC(2026, 0, 1) / 1000, 1],
      [Date.UTC(2026, 1, 1) / 1000, 2],
    ])
  })

  it.each(['2026-01-01 10:30:00', '2026-01-01 10:30:00.25', '2026-01-01 10:30:00+00'])(
    'read the time %s as UTC',
    (text) => {
      const x = axis('x', 'TIMESTAMP', 0)
      const { points } = toChartPoints({ chart: 'line', rows: [[text, '1']], x, y })
      expect(Math.floor(points[0]?.x ?? 0)).toBe(Date.UTC(2026, 0, 1, 10, 30) / 1000)
    },
  )

  it('keep the order of names, and escape what is invisible', () => {
    const rows = [
      ['b\u202e', '1'],
      ['a', '2'],
    ]
    const { points, scale } = toChartPoints({ chart: 'line', rows, x: axis('x', 'VARCHAR', 0), y })
    expect(scale).toBe('names')
    expect(points.map(({ label }) => label)).toEqual(['b\\u202e', 'a'])
  })
})

it('the ticks of values are few, round, and enclose them', () => {
  const of = (...values: number[]) =>
    toValueTicks(
      values.map((y) => ({ x: 0, y, label: '', value: '' })),
      false,
    )
  expect(of(3, 17)).toEqual([0, 5, 10, 15, 20])
  expect(of(-0.31, 0.12)).toEqual([-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2])
  expect(of(0)).toEqual([0, 0.2])
  expect(of()).toEqual([0, 1])
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 1 }),
      (values) => {
        const ticks = of(...values)
        expect(ticks.length).toBeLessThan(9)
        const slack = 1e-9 * Math.max(...values.map(Math.abs))
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values) + slack)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values) - slack)
      },
    ),
  )
})

describe('the history', () => {
  it('has each query once, newest first, and is bounded', () => {
    const entries = Array.from({ length: 80 }, (_, at) => ({ query: `q${at % 60}`, at }))
    const history = toHistory(entries)
    expect(history).toHaveLength(50)
    expect(history[0]).toEqual({ query: 'q19', at: 79 })
    expect(toHistory([...history, ...entries])).toEqual(history)
    const long = { query: 'x'.repeat(60_000), at: 1 }
    expect(toHistory([long, { query: 'y'.repeat(60_000), at: 2 }])).toHaveLength(1)
  })
})

it('the text of a query ends before its last semicolons', () => {
  expect(toStatement("SELECT 'é;' ; ;", [0, 7, 13, 15])).toEqual({
    text: "SELECT 'é;' ",
    firstWord: 'SELECT',
    isSeveral: false,
  })
  expect(toStatement('SELECT 1; SELECT 2;', [0, 7, 8, 10, 17, 18]).isSeveral).toBe(true)
  expect(toStatement('', [])).toEqual({ text: '', firstWord: '', isSeveral: false })
})

it('an error that is no JSON is shown as it is', () => {
  expect(toSqlError('boom', 'x', 'x')).toMatchObject({ message: 'boom', at: null })
  expect(toSqlError('{"a": 1}', 'x', 'x')).toMatchObject({ message: '{"a": 1}', at: null })
})

it('an error inside the message of another is shown without the other', () => {
  const inner = { exception_type: 'Binder', exception_message: 'no column', position: '2' }
  const message = `Parser Error: ${JSON.stringify({
    exception_type: 'Parser',
    exception_message: JSON.stringify(inner),
  })}`
  expect(toSqlError(message, '((x', 'x')).toMatchObject({
    message: 'Binder error: no column',
    at: 0,
  })
})

it('a sort names a column of the result, also one that begins with a minus', () => {
  const columns = ['n', '-n', 'm'].map((name) => ({ name, type: 'INTEGER' }))
  expect(toSort('n', columns)).toEqual({ column: 'n', direction: 'asc' })
  expect(toSort('-n', columns)).toEqual({ column: '-n', direction: 'asc' })
  expect(toSort('-m', columns)).toEqual({ column: 'm', direction: 'desc' })
  expect([toSort('', columns), toSort('z', columns)]).toEqual([null, null])
})

it.each([
  ['DECIMAL(18,6)', true],
  ['UBIGINT', true],
  ['HUGEINT', true],
  ['UINTEGER', true],
  ['VARCHAR', false],
  ['INTEGER[]', false],
  ['TIMESTAMP', false],
])('%s is a number: %s', (type, is) => expect(isNumeric(type)).toBe(is))
