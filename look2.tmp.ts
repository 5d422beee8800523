import { mkdirSync } from 'node:fs'
import { enterPassword, startChromium, watchPage } from '#testing/chromium.ts'
const base = 'http://localhost:4371'
mkdirSync('/tmp/editor-tools/shots', { recursive: true })
const [width = '1280', scheme = 'light', ...paths] = process.argv.slice(2)
const chromium = await startChromium()
const context = await chromium.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme: scheme as 'light' | 'dark', locale: 'en' })
const page = await context.newPage()
const complaints = watchPage(page, base)
await page.goto(`${base}/account/sign-in`)
await page.fill('[name=email]', 'ada@crumb.example')
await enterPassword(page, 'tiClqaNBorGieNTANFcD')
await page.waitForURL(/\/(account|staff)/)
for (const path of paths) {
  await page.goto(`${base}${path}`, { waitUntil: 'networkidle' })
  const links = await page.locator('main a').evaluateAll(all => all.map(one => one.getAttribute('href')))
  console.log(path, await page.title(), links.filter(one => /\/staff\/\w+\/\w{3}_/.test(one ?? '')).slice(0, 6).join(' '))
  console.log(await page.locator('.editor').count(), await page.locator('textarea[data-editor]').count())
  await page.screenshot({ path: `/tmp/editor-tools/shots/${path.replace(/[/?=&]+/g, '_')}-${width}-${scheme}.png`, fullPage: true })
}
console.log(complaints)
await chromium.close()
