import { NoSuchPage } from '#components/feedback/no-such-page.tsx'

export default function NotFound() {
  return <NoSuchPage />
}
