#!/bin/sh
# Makes the small recordings of tests/file-types.test.ts with ffmpeg 5.1 and its encoders; run it in this folder.
set -e
out='-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1 -y -loglevel error'
sound='-f lavfi -i sine=frequency=300:duration=0.1 -ar 8000'
film='-f lavfi -i testsrc=size=16x16:duration=0.4:rate=5'
ffmpeg $sound -c:a libopus -b:a 6k $out sound.webm
ffmpeg $sound -c:a libopus -b:a 6k $out sound.mka
ffmpeg $sound -c:a libopus -b:a 6k $out sound.ogg
ffmpeg $sound -c:a aac -b:a 8k $out -f mp4 sound.mp4
ffmpeg $sound -c:a aac -b:a 8k $out sound.m4a
ffmpeg $sound -c:a libmp3lame -b:a 8k $out sound.mp3
ffmpeg $film -c:v libvpx -b:v 20k $out film.webm
ffmpeg $film -c:v libvpx -b:v 20k $out film.mkv
ffmpeg $film -c:v mpeg4 $out film.mp4
ffmpeg $film -c:v libtheora $out film.ogv
ffmpeg $film -c:v h263 -s 128x96 $out film.3gp
ffmpeg $film -plays 0 -f apng $out animated.png
