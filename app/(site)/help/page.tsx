import type { Metadata } from 'next'
import { HelpScreen } from '#components/palette/key-help.tsx'

export const metadata: Metadata = { title: 'Help' }

export default function HelpPage() {
  return <HelpScreen />
}
