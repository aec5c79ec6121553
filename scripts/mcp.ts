import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readMarkdown } from '#components/docs/read-docs.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { loadAnswer } from '#lib/client/fetch-api.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  type AnswerOf,
  type ApiRequest,
  type Question,
  toAddress,
} from '#lib/contract/operations/operation.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { createMcp, type McpDeps } from '#lib/mcp/create-mcp.ts'
import packageFile from '../package.json'

const USAGE = `Serves assistants over standard input and output. Asks a running dashboard through its API.

  npm run --silent mcp

  BELLWETHER_URL     address of the dashboard, http://127.0.0.1:3000 by default
  BELLWETHER_TOKEN   a token with the permission "read", if sign-in is required
`

class UsageProblem extends Error {}

function main(): void {
  if (readArguments().values.help) return void process.stderr.write(USAGE)
  const base = readBase(process.env.BELLWETHER_URL || 'http://127.0.0.1:3000')
  const deps = toDeps(base, process.env.BELLWETHER_TOKEN ?? '')
  serveStdio(() => createMcp(deps), { onerror: report, maxSubscriptions: 0 })
}

function readArguments() {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  } catch {
    throw new UsageProblem(USAGE)
  }
}

function readBase(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new UsageProblem('BELLWETHER_URL is not an http or https address.\n')
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

function toDeps(base: string, token: string): McpDeps {
  const headers = {
    accept: 'application/json',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  }
  const askWith: McpDeps['askWith'] = (signal) => async (asked) =>
    await askOver(asked, {
      signal,
      fetchApi: (path, init) => fetch(base + path, { ...init, headers, redirect: 'manual' }),
    })
  let isInvented: boolean | null = null
  return {
    version: packageFile.version,
    toLink: (path) => base + path,
    readDoc: readMarkdown,
    onError: report,
    askWith,
    async isInvented() {
      if (isInvented !== null) return isInvented
      const asked = { question: stateQuestions.status, parts: {}, params: new URLSearchParams() }
      const { data } = await askWith(new AbortController().signal)(asked)
      isInvented = data.service.invented
      return isInvented
    },
  }
}

async function askOver<Q extends Question>(
  asked: ApiRequest<Q>,
  how: Parameters<typeof loadAnswer>[2],
): Promise<AnswerOf<Q>> {
  try {
    return (await loadAnswer(asked.question.answer, toAddress(asked), how)) as AnswerOf<Q>
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { type, message, issues, retryAfterSeconds } = error
    if (type === 'offline') throw new AppError('not_ready', UNREACHABLE)
    throw new AppError(type, message, {
      ...(issues.length > 0 && { issues }),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    })
  }
}

const UNREACHABLE = 'The dashboard cannot be reached at BELLWETHER_URL.'

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

try {
  main()
} catch (error) {
  report(error)
  process.exitCode = error instanceof UsageProblem ? 2 : 1
}
