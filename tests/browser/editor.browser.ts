import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { startChromium, type Way } from '#testing/chromium.ts'

const png = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#a53' } })
  .png()
  .toBuffer()

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

type Post = { readonly id: string }

const enterApi = () => app.actor('ada', { scopes: ['posts:read', 'posts:write'] })

const writePost = async (body: string): Promise<Post> => {
  const made = await (await enterApi()).write('POST', '/posts', { title: 'Steam', body })
  assert.equal(made.status, 201, made.text)
  return made.json
}

const readBody = async ({ id }: Post): Promise<string> => (await (await enterApi()).get(`/posts/${id}`)).json.body

const enter = async (path: string, size: 'desktop' | 'phone' = 'desktop', way?: Way): Promise<Walker> => {
  const walker = await walk.start(size, way)
  await walker.goto(`/account/sign-in?return_to=${encodeURIComponent(path)}`)
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  await walker.page.waitForURL(url => url.pathname === path)
  return walker
}

const open = async (body: string, size: 'desktop' | 'phone' = 'desktop', way?: Way) => {
  const post = await writePost(body)
  const walker = await enter(`/staff/posts/${post.id}`, size, way)
  const { page } = walker
  const text = page.locator('.editor .prose')
  const save = async (): Promise<string> => {
    // Where it was saved before, the page has this address already.
    await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
    assert.match(page.url(), /done=save/)
    return readBody(post)
  }
  return { ...walker, post, text, save }
}

const press = (page: Page, label: string): Promise<void> =>
  page.getByRole('toolbar').getByRole('button', { name: label, exact: true }).click()

const choose = (page: Page, label: string): Promise<void> =>
  page.locator('.editor-menu').getByText(label, { exact: true }).click()

const readHtml = (text: Locator): Promise<string> => text.innerHTML()

test('text is typed and formatted by the toolbar, on a desktop and on a phone, and stored as Markdown', async () => {
  for (const size of ['desktop', 'phone'] as const) {
    const { page, text, save, look, close } = await open('', size)
    await text.click()
    await press(page, 'Heading')
    await choose(page, 'Heading 2')
    await page.keyboard.type('Steam')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ten ')
    await press(page, 'Bold')
    await page.keyboard.type('minutes')
    await press(page, 'Bold')
    await page.keyboard.type(' of *steam*, 1. no more_less')
    await page.keyboard.press('Enter')
    await press(page, 'Numbered list')
    await page.keyboard.type('Heat')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Pour')
    await look()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await press(page, 'Heading')
      await look()
      await page.keyboard.press('Escape')
    }
    assert.equal(await save(), '## Steam\n\nTen **minutes** of *steam*, 1. no more_less\n\n1. Heat\n2. Pour')
    await close()
  }
})

test('a text that nobody changed is stored byte for byte, and of one that somebody changed all other blocks', async () => {
  const body =
    'Setext\n===\n\n* one\n* two\n\n__bold__  \nline\n\n[a]: https://a.example\n\n\n| a | b |\n|--|:-:|\n| 1 | [x][a] |\n'
  const { page, text, save, post, close } = await open(body)
  assert.equal(await text.locator('table td').count(), 2)
  assert.equal(await save(), body)
  await page.goto(`${app.a.baseUrl}/staff/posts/${post.id}`)
  await text.locator('li').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  assert.equal(await save(), body.replace('* one\n* two', '- one!\n- two'))
  await close()
})

test('what the editor would write in another way opens as Markdown, with a sentence, and stays as it is', async () => {
  const body = '*one *two* three*'
  const { page, save, look, close } = await open(body)
  assert.ok(await page.isVisible('textarea[name=body]'))
  assert.match(await page.innerText('.editor-note'), /edited as Markdown/)
  await look()
  await press(page, 'Markdown')
  assert.ok(await page.isVisible('textarea[name=body]'))
  await page.fill('textarea[name=body]', 'One *two* three')
  await press(page, 'Markdown')
  assert.equal(await page.locator('.editor .prose em').innerText(), 'two')
  assert.equal(await save(), 'One *two* three')
  await close()
})

test('Markdown and rich text are switched both ways without loss', async () => {
  const { page, text, save, close } = await open('One\n\n- a\n- b\n')
  await press(page, 'Markdown')
  assert.equal(await page.inputValue('textarea[name=body]'), 'One\n\n- a\n- b\n')
  await page.fill('textarea[name=body]', 'Two\n\n> quoted\n')
  await press(page, 'Markdown')
  assert.equal(await text.locator('blockquote').innerText(), 'quoted')
  await press(page, 'Markdown')
  assert.equal(await page.inputValue('textarea[name=body]'), 'Two\n\n> quoted\n')
  assert.equal(await save(), 'Two\n\n> quoted\n')
  await close()
})

test('with the keyboard alone: the toolbar is one stop with arrows, Tab moves in lists, Escape leaves the text', async () => {
  const { page, save, close } = await open('')
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.name ?? ""')
  await page.focus('input[name=subtitle]')
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Heading')
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(), 'Bold')
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  assert.equal(await focused(), 'Heading')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator('.editor .prose:focus').count(), 1)
  await page.keyboard.press('Control+Alt+3')
  await page.keyboard.type('Rest')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+i')
  await page.keyboard.type('slowly')
  await page.keyboard.press('Control+i')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Shift+8')
  await page.keyboard.type('fold')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('twice')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'excerpt')
  assert.equal(await save(), '### Rest\n\n*slowly*\n\n- fold\n  - twice')
  await close()
})

test('a slash in an empty line offers what can be put into the text', async () => {
  const { page, text, save, look, close } = await open('')
  await text.click()
  await page.keyboard.type('/')
  await page.waitForSelector('[role=listbox]')
  await look()
  await page.keyboard.type('tab')
  assert.equal(await page.locator('[role=option]').count(), 1)
  await page.keyboard.press('Enter')
  await page.keyboard.type('flour')
  await page.keyboard.press('Tab')
  await page.keyboard.type('water | salt')
  await press(page, 'Table')
  await choose(page, 'Align the column at the end')
  await press(page, 'Table')
  await choose(page, 'Delete the row')
  await press(page, 'Undo')
  await press(page, 'Table')
  await choose(page, 'Delete the column')
  await press(page, 'Undo')
  await text.locator('th').last().click()
  await page.keyboard.type('yeast')
  await look()
  assert.equal(await save(), '| flour | water \\| salt | yeast |\n| --- | --: | --- |\n|  |  |  |\n|  |  |  |')
  await close()
})

test('a link is set, changed and removed in a dialog', async () => {
  const { page, text, save, look, close } = await open('Read on')
  await text.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+k')
  await look()
  await page.getByLabel('Address of the link').fill('a.example/b')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.editor .prose a')
  await text.locator('a').click()
  await press(page, 'Link')
  assert.equal(await page.getByLabel('Address of the link').inputValue(), 'https://a.example/b')
  await page.keyboard.press('Escape')
  assert.equal(await save(), '[Read on](https://a.example/b)')
  await text.locator('a').click()
  await press(page, 'Link')
  await page.getByRole('button', { name: 'Remove the link' }).click()
  assert.equal(await save(), 'Read on')
  await close()
})

const PASTE = `html => {
  const data = new DataTransfer()
  data.setData('text/html', html)
  data.setData('text/plain', 'plain')
  document.querySelector('.editor .prose').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
}`

const paste = async (page: Page, html: string): Promise<void> => {
  await page.evaluate(`(${PASTE})(${JSON.stringify(html)})`)
}

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0cm}</style></head><body lang=EN-GB><!--StartFragment-->
<h2>The dough<o:p></o:p></h2>
<p class=MsoNormal style='margin-bottom:8.0pt'>Mix <b style='mso-bidi-font-weight:normal'>slowly</b> and <i>wait</i>.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span>flour<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span>wheat<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span>water<o:p></o:p></p>
<table class=MsoTableGrid style='border-collapse:collapse'><tr><td width=200 style='border:solid'><p class=MsoNormal>rye<o:p></o:p></p></td><td><p class=MsoNormal>90 %</p></td></tr></table>
<!--EndFragment--></body></html>`

const DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;">Fold it </span><span style="font-size:11pt;font-weight:700;font-style:italic;">twice</span></p><ul><li dir="ltr" style="list-style-type:disc"><p dir="ltr" role="presentation"><span>warm</span></p></li></ul></b>`

const WEB = `<div class="article" onclick="steal()"><h1 style="color:red">Bread</h1><script>steal()</script><img src="https://elsewhere.example/pixel.gif" onerror="steal()"><p>See <a href="https://a.example/x" class="btn">this</a> and <a href="javascript:steal()">that</a>.</p><pre><code>x = 1</code></pre></div>`

test('what is pasted from Word, Google Docs and a web page keeps its structure and nothing else', async () => {
  const pasted = [
    [
      WORD,
      '## The dough\n\nMix **slowly** and *wait*.\n\n- flour\n  - wheat\n- water\n\n| rye | 90 % |\n| --- | --- |',
    ],
    [DOCS, 'Fold it ***twice***\n\n- warm'],
    [WEB, '# Bread\n\nSee [this](https://a.example/x) and that.\n\n```\nx = 1\n```'],
  ] as const
  for (const [html, markdown] of pasted) {
    const { page, text, save, look, close } = await open('')
    await text.click()
    await paste(page, html)
    assert.doesNotMatch(await readHtml(text), /style=|Mso|onclick|steal|elsewhere/)
    await look()
    assert.equal(await save(), markdown)
    await close()
  }
})

const DROP = `base64 => {
  const bytes = Uint8Array.from(atob(base64), one => one.charCodeAt(0))
  const data = new DataTransfer()
  data.items.add(new File([bytes], 'starter.png', { type: 'image/png' }))
  const prose = document.querySelector('.editor .prose')
  const { left, top } = prose.querySelector('p').getBoundingClientRect()
  const at = { clientX: left + 5, clientY: top + 5 }
  prose.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, ...at }))
}`

test('a picture that is dropped is stored, and what it shows is asked for at once', async () => {
  const { page, text, save, look, close } = await open('Feed it.')
  await page.evaluate(`(${DROP})(${JSON.stringify(png.toString('base64'))})`)
  await page.waitForSelector('.editor .prose img[src]')
  const alt = page.getByLabel('What the picture shows')
  await page.waitForSelector('.picture-panel input:focus')
  await alt.fill('A jar [of] starter')
  await look()
  await page.keyboard.press('Enter')
  const stored = await save()
  assert.match(stored, /^Feed it\.\n\n!\[A jar \\\[of\\\] starter\]\(fil_\w+\)$/)
  // The picture is shown again when the post is opened.
  await page.waitForSelector('.editor .prose img[src]')
  assert.equal(await text.locator('img[src]').getAttribute('alt'), 'A jar [of] starter')
  assert.equal(await save(), stored)
  await close()
})

test('a file that cannot be stored is refused with a sentence, and the text stays', async () => {
  const { page, text, save, look, close } = await open('Feed it.')
  await page.evaluate(`(${DROP})(${JSON.stringify(Buffer.from('no picture').toString('base64'))})`)
  await page.locator('.editor-note', { hasText: 'was not uploaded' }).waitFor()
  assert.equal(await text.locator('img[src], .picture-name').count(), 0)
  await look(/422/)
  assert.equal(await save(), 'Feed it.')
  await close()
})

test('a text from right to left is shown and written from right to left', async () => {
  const { page, text, save, look, close } = await open('')
  await text.click()
  await page.keyboard.type('مرحبا بكم')
  const direction = await page.evaluate('getComputedStyle(document.querySelector(".editor .prose p")).direction')
  assert.equal(await text.getAttribute('dir'), 'auto')
  assert.ok(['rtl', 'ltr'].includes(String(direction)))
  const side = await page.evaluate(`(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('.editor .prose p'))
    const [words, line] = [range.getBoundingClientRect(), document.querySelector('.editor .prose p').getBoundingClientRect()]
    return Math.abs(words.right - line.right) < Math.abs(words.left - line.left)
  })()`)
  assert.equal(side, true)
  await look()
  assert.equal(await save(), 'مرحبا بكم')
  await close()
})

test('the preview beside the text follows it', async () => {
  const { page, text, look, close } = await open('One **two**')
  await press(page, 'Preview')
  await page.waitForSelector('.editor-preview strong')
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' three')
  await page.locator('.editor-preview', { hasText: 'three' }).waitFor()
  await look()
  await close()
})

test('a draft that comes back into the field is shown in the editor', async () => {
  const { page, text, close } = await open('One')
  await page.evaluate(`(() => {
    const area = document.querySelector('textarea[name=body]')
    area.value = '## Two'
    area.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
  assert.equal(await text.locator('h2').innerText(), 'Two')
  await close()
})

const NONE = { javaScriptEnabled: false }

test('without scripts: the text area, a preview, and a picture that is put into the text', async () => {
  const { page, post, save, look, close } = await open('One', 'desktop', NONE)
  await page.fill('textarea[name=body]', 'One *two*')
  await page.click('button[value=preview]')
  await page.waitForSelector('#text-preview em')
  await page.click('summary:has-text("Put a file into the text")')
  await page.setInputFiles('[name=text_picture]', { name: 'jar.png', mimeType: 'image/png', buffer: png })
  await page.fill('[name=text_picture_alt]', 'A jar')
  await page.click('button[name=put][value=picture]')
  const typed = await page.inputValue('textarea[name=body]')
  assert.match(typed, /^One \*two\*\n\n!\[A jar\]\(fil_\w+\)$/)
  assert.equal(await readBody(post), 'One')
  await look()
  assert.equal(await save(), typed)
  await close()
})

test('without scripts: a description is shown in a window of its own, and the form stays as it is', async () => {
  const { page, context, close } = await enter('/staff/products/new', 'desktop', NONE)
  await page.fill('textarea[name=description]', 'A *book*')
  const [shown] = await Promise.all([context.waitForEvent('page'), page.click('button[name=preview]')])
  await shown.waitForSelector('#text-preview em')
  assert.equal(await page.inputValue('textarea[name=description]'), 'A *book*')
  await close()
})

test('every field of Markdown in the console opens in the editor', async () => {
  const { page, goto, look, close } = await enter('/staff/products/new')
  for (const path of ['/staff/products/new', '/staff/plans/new', '/staff/lecturers/new']) {
    await goto(path)
    assert.equal(await page.locator('.editor .prose').count(), 1, path)
    assert.equal(await page.locator('button[name=preview]').isVisible(), false)
    await look()
  }
  await close()
})
