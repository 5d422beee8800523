// One thing: a course of four lessons that an owner builds in its editor.
import type { Page } from 'playwright-core'

const NEW_NAME = '.inline-add input[name=name]'

/** A page, and what presses something on it by its selector and may count it. */
type Hands = { readonly page: Page; click(target: string): Promise<void> }

// On a narrow window the outline is a panel.
const showOutline = async ({ page, click }: Hands): Promise<void> => {
  await page.waitForSelector('.outline', { state: 'attached' })
  const isHidden = !(await page.locator('.outline').first().isVisible())
  if (isHidden) await click('[popovertarget=outline]')
}

/** Writes a text as somebody does who sees it: as rich text where a module opened it so. */
export const writeText = async (page: Page, control: string, text: string): Promise<void> => {
  await page.waitForSelector(control, { state: 'attached' })
  await page.waitForLoadState()
  const rich = page.locator('.editor', { has: page.locator(`${control}[hidden]`) }).locator('[contenteditable=true]')
  await ((await rich.count()) > 0 ? rich : page.locator(control)).fill(text)
}

/** Adds a lesson to the last section; the choice of another type is two presses. */
export const addLesson = async (hands: Hands, name: string, type = 'text'): Promise<void> => {
  const { page, click } = hands
  await showOutline(hands)
  if ((await page.locator(NEW_NAME).count()) === 0) {
    await click('.outline > li:last-child > a.add')
    await page.waitForSelector(NEW_NAME, { state: 'attached' })
    await showOutline(hands)
  }
  if (type !== 'text') {
    await click('.inline-add select')
    await page.selectOption('.inline-add select', type)
  }
  await page.fill(NEW_NAME, name)
  await page.press(NEW_NAME, 'Enter')
  await page.waitForSelector(`.work h1:has-text("${name}")`, { state: 'attached' })
}

const save = async ({ page, click }: Hands): Promise<void> => {
  await click('.save [value=save]')
  await page.waitForURL(/done=saved/)
}

/** The names of the lessons that `writeCourse` writes. */
export const LESSONS = ['Why butter', 'Folding', 'What you know', 'Bake one'] as const

/**
 * Creates a course for €49 on the page for a new one, writes its four lessons, two texts, a quiz and an assignment, and publishes
 * it with them.
 */
export const writeCourse = async (hands: Hands, name: string, look: () => Promise<void>): Promise<void> => {
  const { page, click } = hands
  await page.fill('[name=name]', name)
  await page.fill('[name=amount]', '49')
  await click('button.main')
  await addLesson(hands, LESSONS[0])
  await writeText(page, '#body', 'Because it melts.')
  await save(hands)
  await look()
  await addLesson(hands, LESSONS[1])
  await writeText(page, '#body', 'Three times.')
  await save(hands)
  await addLesson(hands, LESSONS[2], 'quiz')
  await look()
  await click('a[href$="kind=single"]')
  await writeText(page, '[name=prompt]', 'What makes it rise?')
  await page.fill('[name=choice_0]', 'Steam')
  await page.fill('[name=choice_1]', 'Salt')
  await click('[name=correct][value="0"]')
  await look()
  await click('button.main')
  await page.waitForSelector('#questions li')
  await addLesson(hands, LESSONS[3], 'assignment')
  await writeText(page, '#instructions', 'Bake one and show its crumb.')
  await save(hands)
  await click('details.publish summary')
  await look()
  await click('details.publish button.main')
  await page.waitForURL(/done=published/)
  await look()
}
