'use client'

import { createContext, type ReactNode, useContext } from 'react'

const Invented = createContext(false)

export const EmbedOf = ({ invented, children }: { invented: boolean; children: ReactNode }) => (
  <Invented value={invented}>{children}</Invented>
)

export const useInvented = (): boolean => useContext(Invented)
