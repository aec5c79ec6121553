'use client'

import { type FormEvent, useRef, useState } from 'react'
import { formatBytes, formatCount } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { type Tried, toTriedAddress } from '#lib/contract/openapi/tried-address.ts'

type ApiField = {
  name: string
  value: string
  placeholder: string
  options: readonly string[] | null
  isRequired: boolean
}

type ApiFormProps = Tried & { id: string; fields: readonly ApiField[] }

const BYTES_MAX = 64 * 1024
const LISTEN_MS = 5000

const TRY_PATH = '/docs/api/try'

export function ApiForm({ id, fields, ...tried }: ApiFormProps) {
  const { outcome, ask } = useAsking(tried)
  return (
    <div className="flex flex-col gap-3 rounded-lg border bg-surface p-4 text-base">
      <form
        action={withBase(TRY_PATH)}
        aria-label={`Try ${tried.address}`}
        className="flex flex-col gap-3"
        onSubmit={ask}
      >
        <input type="hidden" name="operation" value={id} />
        {fields.length > 0 && (
          <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2 xl:grid-cols-3">
            {fields.map((field) => (
              <Field key={field.name} field={field} />
            ))}
          </div>
        )}
        <Button type="submit" variant="solid" className="self-start">
          Send<span className="sr-only"> the request</span>
        </Button>
      </form>
      <div role="status">{outcome && <OutcomeLine outcome={outcome} />}</div>
      {outcome?.state === 'answered' && outcome.text !== '' && (
        <section
          aria-label={`Response of ${tried.address}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-md bg-sunk px-3 py-2 -outline-offset-2 [scrollbar-width:thin]"
        >
          <pre className="font-mono text-sm">{outcome.text}</pre>
        </section>
      )}
    </div>
  )
}

function Field({ field: { name, value, placeholder, options, isRequired } }: { field: ApiField }) {
  if (!options) {
    return (
      <TextField
        label={name}
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        required={isRequired}
      />
    )
  }
  return (
    <label className="flex flex-col gap-1 field-label">
      {name}
      <select name={name} defaultValue={value} className="field font-normal">
        {['', ...options].map((option) => (
          <option key={option} value={option}>
            {option || '–'}
          </option>
        ))}
      </select>
    </label>
  )
}

type Outcome =
  | { state: 'asking'; address: string }
  | { state: 'failed'; address: string }
  | ({
      state: 'answered'
      address: string
      status: string
      type: string
      milliseconds: number
    } & Bounded)

function OutcomeLine({ outcome }: { outcome: Outcome }) {
  const link = (
    <a href={withBase(outcome.address)} className="link font-mono text-sm wrap-anywhere">
      {withBase(outcome.address)}
    </a>
  )
  if (outcome.state === 'asking') return <p>Asking {link} …</p>
  if (outcome.state === 'failed') return <p>The dashboard did not answer {link}.</p>
  const { status, milliseconds, type, text, bytes, isWhole } = outcome
  return (
    <div className="flex flex-col gap-0.5">
      <p>{link}</p>
      <p className="text-ink-2">
        <strong className="font-semibold text-ink">{status}</strong> in {formatCount(milliseconds)}{' '}
        ms, {type || 'no content'}
        {text !== '' && `, ${isWhole ? '' : 'the first '}${formatBytes(bytes)}`}
        {text === '' && !isWhole && ': a file, not shown here. Use the link to save it.'}
      </p>
    </div>
  )
}

function useAsking(tried: Tried) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const current = useRef<AbortController>(null)
  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    current.current?.abort()
    const abort = new AbortController()
    current.current = abort
    const address = toTriedAddress(tried, toParams(new FormData(event.currentTarget)))
    setOutcome({ state: 'asking', address })
    const next = await load(address, abort.signal).catch(
      () => ({ state: 'failed', address }) as const,
    )
    if (current.current === abort) setOutcome(next)
  }
  return { outcome, ask }
}

const toParams = (fields: FormData) =>
  new URLSearchParams(
    [...fields].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

const IS_TEXT = /json|^text\//

async function load(address: string, signal: AbortSignal): Promise<Outcome> {
  const begun = performance.now()
  const response = await fetch(withBase(address), { cache: 'no-store', signal })
  const type = response.headers.get('content-type') ?? ''
  const enough = AbortSignal.any([signal, AbortSignal.timeout(LISTEN_MS)])
  const body = IS_TEXT.test(type)
    ? await readBounded(response, { bytesMax: BYTES_MAX, signal: enough })
    : await skip(response)
  return {
    state: 'answered',
    address,
    status: `${response.status} ${response.statusText}`.trim(),
    type: type.split(';')[0] ?? '',
    milliseconds: Math.round(performance.now() - begun),
    ...body,
    text: toShownText(body, type),
  }
}

async function skip(response: Response): Promise<Bounded> {
  await response.body?.cancel()
  return { text: '', bytes: 0, isWhole: false }
}

type Bounded = { text: string; bytes: number; isWhole: boolean }

/** Stops at the byte limit or on `signal`: event streams never end. */
export async function readBounded(
  response: Response,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Bounded> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', bytes: 0, isWhole: true }
  const decoder = new TextDecoder()
  const read = { text: '', bytes: 0, isWhole: false }
  const stop = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  while (!signal.aborted) {
    const { done, value } = await reader.read()
    if (done) {
      read.isWhole = !signal.aborted
      break
    }
    const piece = value.subarray(0, bytesMax - read.bytes)
    read.bytes += piece.byteLength
    read.text += decoder.decode(piece, { stream: true })
    if (piece.byteLength < value.byteLength) break
  }
  signal.removeEventListener('abort', stop)
  if (!read.isWhole) stop()
  return read
}

export function toShownText({ text, isWhole }: Bounded, type: string): string {
  if (!isWhole || !type.startsWith('application/json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
