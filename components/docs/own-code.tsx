'use client'

import { useSyncExternalStore } from 'react'
import { withBase } from '#lib/contract/base-path.ts'

/** The address of examples in the documents. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000'

const listen = () => () => {}

/** Code whose example address becomes the address that the reader is at. */
export function OwnCode({ text }: { text: string }) {
  const origin = useSyncExternalStore(
    listen,
    () => window.location.origin + withBase(''),
    () => EXAMPLE_ORIGIN,
  )
  return <code>{text.replaceAll(EXAMPLE_ORIGIN, origin)}</code>
}
