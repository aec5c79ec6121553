'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Permission } from '#lib/contract/answers/access.ts'

type Permissions = {
  may: readonly Permission[]
  signsIn: boolean
}

const Context = createContext<Permissions>({ may: [], signsIn: false })

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
