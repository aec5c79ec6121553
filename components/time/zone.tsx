'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext } from 'react'
import { splitZone } from '#lib/contract/zone.ts'

const Context = createContext('UTC')

/** The zone that times are written in from here down, by its name in the IANA database. */
export function Zone({ name, children }: { name: string; children: ReactNode }) {
  return <Context value={name}>{children}</Context>
}

/** The same by the page's address. A screen that writes its address ahead of the router sets its own. */
export function AddressZone({ children }: { children: ReactNode }) {
  const params = useSearchParams()
  const { zone } = splitZone(new URLSearchParams(params?.toString() ?? ''))
  return <Zone name={zone}>{children}</Zone>
}

/** The zone that times are written in here. */
export const useZone = (): string => useContext(Context)
