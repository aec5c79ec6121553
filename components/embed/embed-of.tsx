'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { UtcOnly } from '#components/ui/time-zone.ts'

const Invented = createContext(false)

export const EmbedOf = ({ invented, children }: { invented: boolean; children: ReactNode }) => (
  <Invented value={invented}>
    <UtcOnly value>{children}</UtcOnly>
  </Invented>
)

export const useInvented = (): boolean => useContext(Invented)
