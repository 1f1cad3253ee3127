#!/bin/bash
# A Slurm array works on one run, a shard a task, and a job that waits for all of them merges the shards.
#
#   voicebench build-audio --effect noise-10dB --out audio
#   bash deploy/slurm-array.sh
#
# This submits both jobs. Submitted again after a time limit, every shard goes on where it stopped. To run one
# shard again: SHARDS=8 sbatch --array=3 deploy/slurm-array.sh eval (SHARDS, since Slurm would count one task).
# MODEL, AUDIO and RUN in the environment change what is asked, on which clips, and where the run lies.
#
# Checked: bash -n deploy/slurm-array.sh; shellcheck deploy/slurm-array.sh; and with stand-ins for sbatch and
# voicebench. Never run by Slurm here: there was no cluster at hand.
#SBATCH --job-name=voicebench
#SBATCH --array=1-8
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --mem=48G
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --signal=B:INT@120
#SBATCH --output=%x-%A_%a.log
set -euo pipefail

model=${MODEL:-whisper-large-v3+qwen3-8b}
audio=${AUDIO:-audio}
run=${RUN:-runs/qwen3-8b}

case "${1:-submit}" in
submit)
    array=$(sbatch --parsable "$0" eval)
    # An array of one, without a GPU; --parsable may add the cluster's name behind a semicolon.
    sbatch --dependency="afterok:${array%%;*}" --array=1 --gres=none "$0" merge
    ;;
eval)
    # exec, so that the signal before the time limit reaches the run and not this shell.
    exec voicebench eval --model "$model" --condition text,speech,speech/noise-10dB --audio "$audio" --gpu 0 \
        --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" \
        --run "$run/shard-$SLURM_ARRAY_TASK_ID"
    ;;
merge)
    exec voicebench merge "$run"/shard-* --out "$run/all" --fresh
    ;;
*)
    echo "usage: bash $0 [submit|eval|merge]" >&2
    exit 2
    ;;
esac
