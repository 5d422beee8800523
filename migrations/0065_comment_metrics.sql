-- Comments came after the metrics.
select stoa.measure('comments', 'created_at', '{subject_type}');
