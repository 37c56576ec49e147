//! Block sizes, contents and memory.

use super::row::{WordStatus, rows};
use cardiograph_core::{Message, message};

const CUDA: &Message = &message!("jobs-option.cuda");

rows! {
    "Blocks and buffers";
    works "bs" | "blocksize": BytesPerDirection, "4096", "Size of one I/O, per direction.";
    works "bsrange" | "blocksize_range": BytesRangePerDirection, "",
        "Range from which each I/O's size is drawn, in multiples of the smallest.";
    works "bssplit": Split, "", "Sizes with the share of I/Os that each has, in percent.";
    works "ba" | "blockalign": BytesPerDirection, "", "Grid of random offsets; the shortest I/O if not set.";
    hint(&message!("jobs-hint.bs-unaligned")) "bs_unaligned" | "blocksize_unaligned": Flag,
        "", "Draw any size in a bsrange, not only multiples of its smallest.";
    refused(&message!("jobs-option.bs-is-seq-rand")) "bs_is_seq_rand":
        Switch, "0", "Take the lengths of reads and writes as those of sequential and random I/O.";
    works "zero_buffers": Flag, "", "Write zeros.";
    works "refill_buffers": Flag, "", "New random content for each write, instead of new stamps.";
    works "scramble_buffers": Switch, "1",
        "Stamp each write so that no two are the same; 0 repeats the same content.";
    works "buffer_compress_percentage": PERCENT, "0",
        "Share of the content that a compressor saves, in percent.";
    works "buffer_compress_chunk": Bytes, "512", "Size of the pieces that each compress by that share.";
    works "buffer_pattern": Text, "",
        "Content of writes: numbers, \"strings\" and 'files', one after another.";
    works "dedupe_percentage": PERCENT, "0", "Share of writes that repeat earlier content, in percent.";
    works "dedupe_mode": Word(&["repeat", "working_set"]), "repeat",
        "Whether repeated content is the last one or one of a set.";
    works "dedupe_working_set_percentage": PERCENT, "5", "Size of that set, in percent of the file.";
    works "dedupe_global": Switch, "0", "Whether jobs share that set.";
    works "mem" | "iomem":
        WordWithArguments(&["malloc", "shm", "shmhuge", "mmap", "mmapshared", "mmaphuge", "cudamalloc"]),
            "malloc",
        "Where the memory of buffers comes from.", words: &[WordStatus::refused(&["cudamalloc"], CUDA)];
    works "iomem_align" | "mem_align": Bytes, "0", "How far after the start of a page buffers begin.";
    works("fio_option_hugepage_size") "hugepage-size": Bytes, "2097152", "Size of a huge page.";
    refused(CUDA) "gpu_dev_id": COUNT, "0", "Which graphics card mem=cudamalloc uses.";
}
