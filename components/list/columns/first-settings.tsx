'use client'

import { createContext, type ReactNode } from 'react'

/** The settings cookies of the request, by name. */
export type SettingsCookies = Readonly<Record<string, string>>

export const FirstSettings = createContext<SettingsCookies>({})

type SettingsProviderProps = { value: SettingsCookies; children: ReactNode }

export const SettingsProvider = ({ value, children }: SettingsProviderProps) => (
  <FirstSettings value={value}>{children}</FirstSettings>
)
