import { expect, it } from 'vitest'
import { toCsvTexts, toJsonTexts, toNdjsonTexts } from './export-answer.ts'

async function* lines(...batches: string[][]) {
  yield* batches
}

async function read(texts: AsyncGenerator<string>) {
  let text = ''
  for await (const part of texts) text += part
  return text
}

const meta = { as_of: 1, complete_to: null, generation: 2, rows: 3, gaps: 0 }
const columns = ['id']

it('rows of several batches are one file', async () => {
  const batches = () => lines(['1', '2'], ['3'])
  expect(await read(toCsvTexts(batches(), { columns, rows: 3, isForExcel: false }))).toBe(
    'id\r\n1\r\n2\r\n3\r\n',
  )
  expect(await read(toNdjsonTexts(batches(), 3))).toBe('1\n2\n3\n')
  const json = await read(toJsonTexts(batches(), meta))
  expect(json.split('\n').slice(1)).toEqual(['1,', '2,', '3', '],"rows":3}', ''])
  expect(JSON.parse(json)).toMatchObject({ data: [1, 2, 3], meta, rows: 3 })
})

it('fewer rows than were declared are a failure, and never the end of a file', async () => {
  const short = () => lines(['1', '2'])
  await expect(read(toCsvTexts(short(), { columns, rows: 3, isForExcel: false }))).rejects.toThrow(
    '2 rows were written of 3 declared',
  )
  await expect(read(toNdjsonTexts(short(), 3))).rejects.toThrow()
  let text = ''
  await expect(
    (async () => {
      for await (const part of toJsonTexts(short(), meta)) text += part
    })(),
  ).rejects.toThrow()
  expect(() => JSON.parse(text)).toThrow()
})
