import { enterPassword, startChromium } from '#testing/chromium.ts'
const base = 'http://localhost:4343'
const chromium = await startChromium()
const page = await (await chromium.newContext()).newPage()
await page.goto(`${base}/account/sign-in`)
await page.fill('[name=email]', 'ada@crumb.example')
await enterPassword(page, process.argv[2] ?? '')
await page.waitForURL(/\/(account|staff)/)
for (const q of ['femi', 'eli', 'dev', 'carla']) {
  await page.goto(`${base}/staff/people?q=${q}`)
  console.log(q, await page.locator('td.c-main a').first().getAttribute('href'))
}
await chromium.close()
