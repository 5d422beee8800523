import { people } from '#src/demo/index.ts'
import { PASSWORD } from './app.ts'
import type { Size, Walker } from './browser-walk.ts'

/** Signs the owner in at a page of the console: in English on a desktop, and in Portuguese on a phone. */
export const enterConsole = async (walker: Walker, size: Size, path: string): Promise<void> => {
  await walker.goto(path)
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  if (size === 'desktop') return
  await walker.goto('/account/profile')
  await walker.page.selectOption('select[name=locale]', 'pt')
  await walker.fill({})
  await walker.page.waitForSelector('#done')
}
