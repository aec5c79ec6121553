import fc from 'fast-check'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

export type DumpText = { text: string; claimed: number | null }

type Cells = Record<string, string>

export const START = 1_704_067_200

const plainCells = fc
  .record({
    user_id: fc.integer({ min: 1, max: 3 }),
    symbol: fc.constantFrom('AAPL', 'aapl', 'BRK.B', "it's", '#x', ' pad ', 'NULL', '\\N', '-'),
    rating: fc.constantFrom(1, 2, 3, 4, 5, -32_768, 32_767, 0),
    action: fc.integer({ min: 0, max: 4 }),
    prediction: fc.constantFrom('0', '-0', '+1.50', '1.5', '007', '999999999999.999999', '-250.5'),
    label: fc.constantFrom('', 'Hold', 'null', ' ', 'x'.repeat(200), '=1+1', 'a;b|c'),
    tally: fc.constantFrom(0, 1, 2_147_483_647),
    created: fc.integer({ min: 0, max: 30 }),
    expired: fc.constantFrom('', '0', '1', String(START + 300), '253402300799'),
  })
  .map(({ label, tally, created, expired, ...fields }): Cells => {
    const numbers = { tally_agree: tally, tally_disagree: 0, tally_comment: 7 }
    return {
      ...Object.fromEntries(
        Object.entries({ ...fields, ...numbers }).map(([name, value]) => [name, String(value)]),
      ),
      rating_label: label,
      action_label: 'Reiterated',
      created_at: String(START + created * 20),
      created_at_date: label,
      expired_at: expired,
      expired_at_date: expired === '' ? '' : 'then',
    }
  })

const someIds = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 25 }) },
  fc.constant([-9_007_199_254_740_991, -1, 0, 9_007_199_254_740_991]),
)

const someRecords = fc
  .tuple(someIds, fc.array(plainCells, { minLength: 25, maxLength: 25 }), fc.boolean())
  .map(([ids, cells, isSorted]) => {
    const records = ids.map((id, index): Cells => ({ ...cells[index], id: String(id) }))
    const at = (record: Cells) => Number(record.created_at)
    if (isSorted) records.sort((a, b) => at(a) - at(b) || Number(a.id) - Number(b.id))
    return records
  })

const aHeader = fc.oneof(
  { weight: 2, arbitrary: fc.constant<string[]>([...RATING_FIELDS]) },
  fc.shuffledSubarray([...RATING_FIELDS], { minLength: RATING_FIELDS.length }),
)

type Form = { newline: string; isEnded: boolean }
const aForm = fc.record({ newline: fc.constantFrom('\n', '\r\n'), isEnded: fc.boolean() })

const toLines = (header: readonly string[], records: readonly Cells[]) => [
  header.join(','),
  ...records.map((record) => header.map((name) => record[name] ?? '').join(',')),
]

const toText = (lines: readonly string[], { newline, isEnded }: Form) =>
  lines.join(newline) + (isEnded ? newline : '')

export const aPlainDump: fc.Arbitrary<DumpText> = fc
  .tuple(aHeader, someRecords, aForm)
  .filter(([, records, { isEnded }]) => isEnded || records.length > 0)
  .map(([header, records, form]) => ({
    text: toText(toLines(header, records), form),
    claimed: null,
  }))

const STRANGE = [
  ...['', '+5', '007', '1e2', '1e3', '5.0', '.5', '5.', ' 5', '5 ', '-0', '-1', '0x1F', '1_0'],
  'true',
  ...['9007199254740992', '-9007199254740992', '99999999999999999999', '2147483648', '32768'],
  ...['-32769', '253402300800', 'NaN', 'null', 'NULL', '1234567890123', '1.1234567', '١', '1,2'],
  ...['Ünï', 'ünï', 'straße', 'ǆ', '日経', 'a"b', '"', '""', '"q"', '"a,b"', '"a\nb"', ' "q"'],
  '"q" ',
  ...['\r', 'a\rb', '\u0000', '\u00a0', '\u00a05', '\t', '\t5', 'x'.repeat(65), 'x'.repeat(201)],
  '"a""b"',
]

type Twist = (file: { lines: string[]; records: Cells[]; header: string[] }, at: number) => string[]

const quoted = (line: string) =>
  line
    .split(',')
    .map((cell) => `"${cell}"`)
    .join(',')

const replaceLine = (lines: string[], at: number, edit: (line: string) => string) =>
  lines.map((line, index) => (index === at % lines.length ? edit(line) : line))

const TWISTS: Twist[] = [
  ({ lines }) => lines.map(quoted),
  ({ lines }, at) => replaceLine(lines, at, quoted),
  ({ lines }, at) => replaceLine(lines, at, (line) => `${line},`),
  ({ lines }, at) => replaceLine(lines, at, (line) => line.slice(0, line.lastIndexOf(','))),
  ({ lines }, at) => replaceLine(lines, at, (line) => `${line}\r`),
  ({ lines }, at) => replaceLine(lines, at, (line) => `${line}\n`),
  ({ lines }, at) => replaceLine(lines, at, () => ''),
  ({ lines }) => lines.map((line, index) => `${line},${index === 0 ? 'note' : index}`),
  ({ lines }) => lines.map((line) => line.replaceAll(',', ';')),
  ({ lines }) => replaceLine(lines, 0, (line) => `\ufeff${line}`),
  ({ lines }) => ['', ...lines],
  ({ lines }, at) => [...lines, lines[at % lines.length] ?? ''],
  ({ lines }) => replaceLine(lines, 0, (line) => line.replace('id,', 'id,id,')),
]

const aTwistedDump: fc.Arbitrary<DumpText> = fc
  .record({
    header: aHeader,
    records: someRecords,
    form: aForm,
    at: fc.nat(30),
    twist: fc.constantFrom(...TWISTS),
  })
  .map(({ header, records, form, at, twist }) => {
    const lines = twist({ lines: toLines(header, records), records, header }, at)
    return { text: toText(lines, form), claimed: null }
  })

const aStrangeCell: fc.Arbitrary<DumpText> = fc
  .record({
    header: aHeader,
    records: someRecords,
    form: aForm,
    at: fc.nat(30),
    name: fc.constantFrom(...RATING_FIELDS),
    cell: fc.constantFrom(...STRANGE),
  })
  .map(({ header, records, form, at, name, cell }) => {
    const changed = records.map((record, index) =>
      index === at % records.length ? { ...record, [name]: cell } : record,
    )
    return { text: toText(toLines(header, changed), form), claimed: null }
  })

export const aDump: fc.Arbitrary<DumpText> = fc.oneof(
  { weight: 3, arbitrary: aPlainDump },
  { weight: 3, arbitrary: aStrangeCell },
  { weight: 2, arbitrary: aTwistedDump },
  fc.tuple(aPlainDump, fc.nat(3)).map(([dump, claimed]) => ({ ...dump, claimed })),
)
