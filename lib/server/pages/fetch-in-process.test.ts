import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askInBrowser, loadAnswer } from '#lib/client/fetch-api.ts'
import { anonymousCaller } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type ApiRequest, type Question, toAddress } from '#lib/contract/operations/operation.ts'
import { QUESTIONS } from '#lib/contract/operations/operations.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { answerInProcess } from './fetch-in-process.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const QUERIES: Readonly<Record<string, string>> = {
  comparison: 'symbol=AAPL',
  watching: 'symbol=AAPL&user=1&view=rating%3D4,5',
}

const toAsked = <Q extends Question>(
  question: Q,
  query = QUERIES[question.name],
): ApiRequest<Q> => ({
  question,
  parts: Object.fromEntries(
    Object.entries(question.parts).map(([name, { example }]) => [name, example]),
  ),
  params: new URLSearchParams(query),
})

const SENDER = { caller: anonymousCaller, client: '' }

const askOverHttp = (asked: ApiRequest) =>
  loadAnswer(asked.question.answer, toAddress(asked), { fetchApi: (path) => test.ask(path) })

describe.each(Object.entries<Question>(QUESTIONS))(
  'the answer that a page gets to %s',
  (_, wanted) => {
    it('is what the route sends, and what a browser reads', async () => {
      const question = toAsked(wanted)
      const value = await answerInProcess(question, SENDER)
      const sent = await (await test.ask(toAddress(question))).json()
      expect(value).toStrictEqual(sent)
      expect(await askOverHttp(question)).toStrictEqual(sent)
    })

    it('is refused with the same words where the question is wrong', async () => {
      const question = toAsked(wanted, 'nope=1')
      const refusal = await answerInProcess(question, SENDER).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ name: 'ApiError', status: 400, type: 'bad_request' })
      expect(refusal).toEqual(await askOverHttp(question).catch((error: unknown) => error))
    })
  },
)

it('what is kept is shared by pages and requests, and cannot be changed', async () => {
  const question = toAsked(QUESTIONS.ratings, 'symbol=AAPL')
  const [first, second] = [
    await answerInProcess(question, SENDER),
    await answerInProcess(question, SENDER),
  ]
  expect(second).toBe(first)
  expect(() => first.data.pop()).toThrow(TypeError)
  const { read } = test.archive.reader
  test.archive.reader.read = () => Promise.reject(new Error('asked again'))
  expect((await test.ask(toAddress(question))).status).toBe(200)
  test.archive.reader.read = read
})

it('what is true only now is made for each who asks', async () => {
  const question = toAsked(QUESTIONS.status)
  expect(await answerInProcess(question, SENDER)).not.toBe(await answerInProcess(question, SENDER))
})

it('one thing that does not exist is told apart from an archive that failed', async () => {
  const nobody = { ...toAsked(QUESTIONS.user), parts: { id: '999999999' } }
  await expect(answerInProcess(nobody, SENDER)).rejects.toMatchObject({
    status: 404,
    type: 'not_found',
  })
  const { read } = test.archive.reader
  test.archive.reader.read = () => Promise.reject(new Error('the disk is gone'))
  const question = toAsked(QUESTIONS.users)
  await expect(
    answerInProcess({ ...question, params: new URLSearchParams('q=7') }, SENDER),
  ).rejects.toEqual(expect.objectContaining({ name: 'ApiError', status: 500, type: 'internal' }))
  expect(test.errors.splice(0)).toEqual([new Error('the disk is gone')])
  test.archive.reader.read = read
})

it('how long to wait is said in the whole seconds of the header', async () => {
  const { read } = test.archive.reader
  test.archive.reader.read = () =>
    Promise.reject(new AppError('busy', 'Too many.', { retryAfterSeconds: 2.2 }))
  const question = toAsked(QUESTIONS.movers, 'asof=2026-01-01')
  const refusal = await answerInProcess(question, SENDER).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ status: 503, retryAfterSeconds: 3 })
  expect(refusal).toEqual(await askOverHttp(question).catch((error: unknown) => error))
  test.archive.reader.read = read
})

it('a browser that cannot reach the dashboard is told so', async () => {
  await expect(askInBrowser(toAsked(QUESTIONS.status))).rejects.toMatchObject({ type: 'offline' })
})
