'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Permission } from '#lib/contract/answers/access.ts'

type Permissions = {
  may: readonly Permission[]
  /** Whether people sign in here at all. */
  signsIn: boolean
}

const Context = createContext<Permissions>({ may: [], signsIn: false })

/** Says what the reader of a page may do, so that nothing is offered to him that would be refused. */
export const PermissionsProvider = ({
  value,
  children,
}: {
  value: Permissions
  children: ReactNode
}) => <Context value={value}>{children}</Context>

export const useMay = (permission: Permission): boolean =>
  useContext(Context).may.includes(permission)

export const useSignsIn = (): boolean => useContext(Context).signsIn
