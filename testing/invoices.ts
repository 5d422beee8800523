import { type Document, type DocumentColumn, isolated } from '#src/contract/print.ts'

/** The words of an invoice in a language. */
type InvoiceWords = {
  readonly invoice: string
  readonly seller: readonly string[]
  readonly buyer: readonly string[]
  readonly billTo: string
  readonly labels: readonly [issued: string, due: string, number: string]
  readonly columns: readonly [item: string, quantity: string, price: string, tax: string, amount: string]
  readonly items: readonly string[]
  readonly totals: readonly [net: string, tax: string, total: string]
  readonly note: string
}

const english: InvoiceWords = {
  invoice: 'Invoice',
  seller: ['Crumb & Crust Lda.', 'Rua do Forno 12, 1200-194 Lisboa, Portugal', 'VAT PT 509 123 456'],
  buyer: ['Zoë Söderström', 'Baking & Sons Ltd, c/o Reception', '14 Old Mill Lane', 'Bath BA1 5LZ', 'United Kingdom'],
  billTo: 'Billed to',
  labels: ['Date of issue', 'Date of supply', 'Order'],
  columns: ['Description', 'Qty', 'Unit price', 'VAT', 'Amount'],
  items: [
    'Sourdough from scratch',
    'Rye for the patient: twelve weeks with a starter of your own',
    'Ticket: open bakery',
  ],
  totals: ['Subtotal', 'VAT 23 %', 'Total'],
  note: 'Paid on 14 March 2027 by card ending in 4242. Thank you for learning with us.',
}

const arabic: InvoiceWords = {
  invoice: 'فاتورة',
  seller: ['مدرسة الخبز', 'شارع الفرن 12، عمّان، الأردن', 'الرقم الضريبي: JO 509 123 456'],
  buyer: ['عمر بن محمد', 'شركة Baking & Sons المحدودة', 'شارع الطاحونة 14', 'دبي، الإمارات العربية المتحدة'],
  billTo: 'فاتورة إلى',
  labels: ['تاريخ الإصدار', 'تاريخ التوريد', 'رقم الطلب'],
  columns: ['الوصف', 'الكمية', 'سعر الوحدة', 'الضريبة', 'المبلغ'],
  items: ['خبز العجين المخمّر من الصفر', 'دورة Rye (12 أسبوعاً) مع خميرتك الخاصة في المنزل', 'تذكرة: المخبز المفتوح'],
  totals: ['المجموع الفرعي', 'الضريبة 16%', 'الإجمالي'],
  note: 'دُفعت في 14 مارس 2027 بالبطاقة المنتهية بـ 4242. شكراً لتعلّمك معنا.',
}

const chinese: InvoiceWords = {
  invoice: '发票',
  seller: ['面包学校有限公司', '上海市徐汇区淮海中路 12 号', '税号：91310000MA1K3XXXX1'],
  buyer: ['王小明', '烘焙之家 Baking & Sons', '北京市朝阳区建国路 14 号院 3 号楼', '中国'],
  billTo: '购买方',
  labels: ['开票日期', '供应日期', '订单'],
  columns: ['项目', '数量', '单价', '税率', '金额'],
  items: ['从零开始做酸面包', '给有耐心的人的黑麦面包：十二周课程，使用自己的酵头（含视频与讲义）', '门票：开放面包房'],
  totals: ['小计', '增值税 6%', '合计'],
  note: '已于 2027 年 3 月 14 日使用尾号 4242 的银行卡支付。感谢您与我们一起学习。',
}

const LANGUAGES = {
  en: { words: english, locale: 'en-GB', currency: 'EUR', percent: 23 },
  ar: { words: arabic, locale: 'ar', currency: 'JOD', percent: 16 },
  zh: { words: chinese, locale: 'zh-CN', currency: 'CNY', percent: 6 },
} as const

/** An invoice with so many lines, in a language, as an area would describe it. */
export const buildInvoice = (language: keyof typeof LANGUAGES, count: number): Document => {
  const { words, locale, currency, percent } = LANGUAGES[language]
  const money = (amount: number) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
  const day = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
  const lines = Array.from({ length: count }, (_, index) => ({
    item: `${words.items[index % words.items.length]}${index < 3 ? '' : ` (${index + 1})`}`,
    quantity: (index % 3) + 1,
    price: 49 + ((index * 37) % 200) + 0.5,
  }))
  const net = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  const end = (title: string, width: number): DocumentColumn => ({ title, width, align: 'end' })
  const [item, quantity, price, tax, amount] = words.columns
  const number = isolated('2027-000014')
  const [seller = '', ...address] = words.seller
  return {
    title: `${words.invoice} ${number}`,
    locale,
    createdAt: new Date('2027-03-14T09:30:00.000Z'),
    accent: '#7a4a1d',
    blocks: [
      { type: 'text', text: seller, isBold: true },
      { type: 'text', text: address.join('\n'), isQuiet: true },
      { type: 'heading', text: `${words.invoice} ${number}`, level: 1 },
      {
        type: 'beside',
        start: [
          { type: 'text', text: words.billTo, isQuiet: true },
          { type: 'text', text: words.buyer.join('\n') },
        ],
        end: [
          {
            type: 'pairs',
            pairs: [day('2027-03-14'), day('2027-03-14'), 'ord_2027-000231'].map((value, index) => ({
              label: words.labels[index] ?? '',
              value,
            })),
          },
        ],
      },
      {
        type: 'table',
        columns: [{ title: item, width: 46 }, end(quantity, 8), end(price, 17), end(tax, 9), end(amount, 20)],
        rows: lines.map(line => [
          line.item,
          new Intl.NumberFormat(locale).format(line.quantity),
          money(line.price),
          new Intl.NumberFormat(locale, { style: 'percent' }).format(percent / 100),
          money(line.quantity * line.price),
        ]),
        totals: [
          { label: words.totals[0], value: money(net) },
          { label: words.totals[1], value: money((net * percent) / 100) },
          { label: words.totals[2], value: money(net * (1 + percent / 100)), isBold: true },
        ],
      },
      { type: 'text', text: words.note, isQuiet: true },
    ],
    foot: [words.seller.slice(0, 2).join(' · '), `${words.invoice} ${number}`],
  }
}
