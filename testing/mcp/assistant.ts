import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export type StructuredAnswer = {
  link: string
  n: number
  rule: string
  freshness: { as_of: string; complete_to: string | null; generation: number; invented: boolean }
  untrusted: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the shape differs by tool.
  data: any
}

type CallResult = { told: StructuredAnswer; text: string; isError: boolean }

type AssistantOptions = {
  url: string
  fetch?: FetchLike
  headers?: Record<string, string>
  version?: 'newest' | 'older'
}

/** A client of the SDK, which validates structured answers against their schemas. */
export async function openAssistant({
  url,
  fetch,
  headers = {},
  version = 'older',
}: AssistantOptions) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    version === 'newest' ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(fetch && { fetch }),
  })
  await client.connect(transport)
  return toAssistant(client)
}

export function toAssistant(client: Client) {
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}): Promise<CallResult> {
      const result = await client.callTool({ name, arguments: args })
      const [content] = result.content
      const text = content?.type === 'text' ? content.text : ''
      return {
        told: result.structuredContent as StructuredAnswer,
        text,
        isError: result.isError === true,
      }
    },
    close: async () => await client.close(),
  }
}

export type Assistant = ReturnType<typeof toAssistant>

/** Paths at which `told` differs from what the API answered. Fields may be left out. */
export function listDifferences(told: unknown, known: unknown, path = ''): string[] {
  if (typeof told === 'string' && typeof known === 'number') {
    return Date.parse(told) / 1000 === known ? [] : [path]
  }
  if (typeof told === 'string' && typeof known === 'string') {
    return told === toVisibleText(known) ? [] : [path]
  }
  if (Array.isArray(told) && Array.isArray(known)) {
    if (told.length !== known.length) return [`${path}.length`]
    return told.flatMap((item, index) => listDifferences(item, known[index], `${path}[${index}]`))
  }
  if (typeof told === 'object' && told !== null && typeof known === 'object' && known !== null) {
    const fields = new Map(Object.entries(known))
    return Object.entries(told).flatMap(([name, value]) =>
      fields.has(name)
        ? listDifferences(value, fields.get(name), `${path}.${name}`)
        : [`${path}.${name}`],
    )
  }
  return told === known ? [] : [path]
}
