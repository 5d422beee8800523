// By language, and by script where a language has several.
const PAGE_OF: Readonly<Record<string, string>> = {
  ar: 'صفحة {page} من {pages}',
  cs: 'Strana {page} z {pages}',
  da: 'Side {page} af {pages}',
  de: 'Seite {page} von {pages}',
  el: 'Σελίδα {page} από {pages}',
  en: 'Page {page} of {pages}',
  es: 'Página {page} de {pages}',
  fi: 'Sivu {page} / {pages}',
  fr: 'Page {page} sur {pages}',
  he: 'עמוד {page} מתוך {pages}',
  hi: 'पृष्ठ {page} / {pages}',
  hu: '{page}. oldal, összesen {pages}',
  it: 'Pagina {page} di {pages}',
  ja: '{page} / {pages} ページ',
  ko: '{page} / {pages}쪽',
  nb: 'Side {page} av {pages}',
  nl: 'Pagina {page} van {pages}',
  pl: 'Strona {page} z {pages}',
  pt: 'Página {page} de {pages}',
  ro: 'Pagina {page} din {pages}',
  ru: 'Страница {page} из {pages}',
  sv: 'Sida {page} av {pages}',
  th: 'หน้า {page} จาก {pages}',
  tr: 'Sayfa {page} / {pages}',
  uk: 'Сторінка {page} з {pages}',
  vi: 'Trang {page} / {pages}',
  'zh-Hans': '第 {page} 页，共 {pages} 页',
  'zh-Hant': '第 {page} 頁，共 {pages} 頁',
}

/** "Page 1 of 2" in the language of a document, or "1 / 2". */
export const formatPage = (locale: string, page: number, pages: number): string => {
  const { language, script } = new Intl.Locale(locale).maximize()
  const words = PAGE_OF[language] ?? PAGE_OF[`${language}-${script}`] ?? '{page} / {pages}'
  const say = new Intl.NumberFormat(locale, { useGrouping: false })
  return words.replace('{page}', say.format(page)).replace('{pages}', say.format(pages))
}
