import type { Phrase } from '#src/contract/language.ts'
import type { RefundReason } from '../invoice/rules.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of printed invoices and credit notes. */
export const words = {
  invoice: say('Invoice', 'Fatura'),
  credit_note: say('Credit note', 'Nota de crédito'),
  test: say('TEST · not an invoice', 'TESTE · não é uma fatura'),
  testNote: say(
    'This document is about a test payment. No money was paid, and nothing is owed. It must not be booked.',
    'Este documento diz respeito a um pagamento de teste. Nenhum dinheiro foi pago e nada é devido. Não deve ser contabilizado.',
  ),
  billedTo: say('Billed to', 'Faturado a'),
  erased: say('The buyer is no longer stored.', 'O comprador já não está guardado.'),
  taxId: say('Tax ID: {id}', 'N.º fiscal: {id}'),
  number: say('Number', 'Número'),
  issuedOn: say('Date of issue', 'Data de emissão'),
  paidOn: say('Date of payment', 'Data de pagamento'),
  order: say('Order', 'Encomenda'),
  creditedInvoice: say('For invoice', 'Relativa à fatura'),
  reason: say('Reason', 'Motivo'),
  description: say('Description', 'Descrição'),
  quantity: say('Qty', 'Qtd.'),
  unitPrice: say('Unit price', 'Preço unitário'),
  discount: say('Discount', 'Desconto'),
  net: say('Net', 'Valor líquido'),
  amount: say('Amount', 'Valor'),
  period: say('{from} to {until}', '{from} a {until}'),
  netTotal: say('Total without tax', 'Total sem imposto'),
  tax: say('Tax', 'Imposto'),
  taxOn: say('{tax} {percent} on {net}', '{tax} {percent} sobre {net}'),
  total: say('Total', 'Total'),
  creditTotal: say('Total refunded', 'Total reembolsado'),
  inclusive: say('Unit prices and discounts include tax.', 'Os preços unitários e os descontos incluem imposto.'),
  exclusive: say(
    'Unit prices and discounts do not include tax.',
    'Os preços unitários e os descontos não incluem imposto.',
  ),
  untaxed: say('No tax is charged.', 'Não é cobrado imposto.'),
  // Directive 2006/112/EC, Article 226 (11a): the mention is fixed in each language.
  reverseCharge: say(
    'Reverse charge. The recipient is liable for the VAT (Article 196 of Directive 2006/112/EC).',
    'Autoliquidação. O IVA é devido pelo destinatário (artigo 196.º da Diretiva 2006/112/CE).',
  ),
  paidFree: say('Nothing was due.', 'Nada havia a pagar.'),
  paidManual: say('Paid on {day} by bank transfer.', 'Pago em {day} por transferência bancária.'),
  paidCard: say('Paid on {day} by {brand} ending in {last4}.', 'Pago em {day} com {brand} terminado em {last4}.'),
  paidTest: say('Paid on {day} with a test payment.', 'Pago em {day} com um pagamento de teste.'),
  paid: say('Paid on {day}.', 'Pago em {day}.'),
  creditNote: say(
    'This credit note reduces invoice {number}. The invoice itself does not change.',
    'Esta nota de crédito reduz a fatura {number}. A própria fatura não se altera.',
  ),
  waiver: say('The buyer agreed to this:', 'O comprador concordou com o seguinte:'),
  foot: say('{kind} {number}', '{kind} {number}'),
} as const

/** Why something was refunded, in words. */
export const reasonText: Readonly<Record<RefundReason, Phrase>> = {
  requested: say('Refund on request', 'Reembolso a pedido'),
  duplicate: say('Paid twice', 'Pago em duplicado'),
  fraud: say('Payment without authorization', 'Pagamento não autorizado'),
  late_payment: say('Paid too late', 'Pago fora do prazo'),
  event_cancelled: say('The event was cancelled', 'O evento foi cancelado'),
  overpaid: say('Too much was paid', 'Foi pago a mais'),
  dispute: say('The payment was disputed', 'O pagamento foi contestado'),
  billing_changed: say('The billing details were changed', 'Os dados de faturação foram alterados'),
  payment_undone: say('The payment did not arrive', 'O pagamento não foi recebido'),
  other: say('Other', 'Outro'),
}
