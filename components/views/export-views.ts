import { saveFile } from '#components/ui/save-file.ts'
import { viewsStore } from './views-store.ts'
import { toFileText } from './views-text.ts'

/** Hands the saved views to the browser as a file, named by the day (UTC). */
export function exportViews(): void {
  const { saved } = viewsStore.load()
  const day = new Date().toISOString().slice(0, 10)
  const file = new Blob([toFileText(saved)], { type: 'application/json' })
  saveFile(file, `bellwether-views-${day}.json`)
}
