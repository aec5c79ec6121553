import type { Metadata } from 'next'
import { AboutScreen } from '#components/about/about-screen.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = {
  title: 'About',
  description: 'What the ratings are, what the words mean, and where the data come from.',
}

export default async function AboutPage() {
  await requireAccess()
  return <AboutScreen />
}
