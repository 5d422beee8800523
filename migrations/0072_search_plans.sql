-- A plan for any words expects to find so many that it reads the entries of all schools one after the other until it has enough;
-- for words that find little that is the whole table.
alter function stoa.search(text, text, uuid, bigint) set enable_seqscan = off;
alter function stoa.search_some(text, text, bigint) set enable_seqscan = off;
